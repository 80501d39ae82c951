package tuning

import (
	"os"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// openLog returns a logger that writes every event to a file as JSON, and what closes the file. Without a path nothing
// is logged.
func openLog(path string) (log *zap.Logger, closeLog func() error, err error) {
	if path == "" {
		return zap.NewNop(), func() error { return nil }, nil
	}
	file, err := os.Create(path)
	if err != nil {
		return nil, nil, err
	}
	encoder := zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig())
	return zap.New(zapcore.NewCore(encoder, zapcore.Lock(file), zap.DebugLevel)), file.Close, nil
}
