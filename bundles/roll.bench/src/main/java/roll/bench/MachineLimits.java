package roll.bench;

import java.io.PrintStream;
import roll.api.config.WorkerConfig.Dtype;
import roll.torch.Device;

/**
 * What the machine can do at most, which inference is compared with.
 *
 * @param read bytes per second, read from memory by all cores
 * @param single FLOP/s of a product of f32 matrices of 2048 × 2048
 * @param half the same of bf16 matrices
 */
record MachineLimits(double read, double single, double half) {
  private static final int WIDTH = 2048;

  private static final int REPEATS = 12;

  /** Above what a processor's cache holds. */
  private static final long BYTES = 1L << 30;

  /** Measures them. */
  static MachineLimits of(Device device) {
    return device.call(
        () -> {
          try (Gemm gemm = new Gemm(device, REPEATS)) {
            return new MachineLimits(
                gemm.read(BYTES),
                gemm.forward(WIDTH, WIDTH, WIDTH, Dtype.FP32),
                gemm.forward(WIDTH, WIDTH, WIDTH, Dtype.BF16));
          }
        });
  }

  /** A line of them. */
  void print(PrintStream out) {
    out.printf(
        "memory is read with %s GB/s; GEMM 2048 x 2048 x 2048: f32 %s, bf16 %s GFLOP/s%n",
        BenchTable.number(read * 1e-9),
        BenchTable.number(single * 1e-9),
        BenchTable.number(half * 1e-9));
  }

  /** Share of the reading rate in which all weights of {@code subject} are read for each token. */
  double reading(BenchModel subject, Dtype dtype, double tokens) {
    return subject.multiplied() * (dtype == Dtype.BF16 ? 2.0 : 4.0) * tokens / read;
  }

  /** Share of the GEMM rate: 2 operations per weight and token. */
  double multiplying(BenchModel subject, Dtype dtype, double tokens) {
    return 2.0 * subject.multiplied() * tokens / (dtype == Dtype.BF16 ? half : single);
  }
}
