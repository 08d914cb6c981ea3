package roll.bench;

import java.io.PrintStream;
import roll.api.config.WorkerConfig.Dtype;
import roll.torch.Device;

/**
 * The limits of the machine that inference is compared with.
 *
 * @param read bytes/s that all cores read from memory
 * @param single FLOP/s of the product of f32 matrices of 2048 × 2048
 * @param half FLOP/s of the product of bf16 matrices
 */
record MachineLimits(double read, double single, double half) {
  private static final int WIDTH = 2048;

  private static final int REPEATS = 12;

  /** Larger than the processor's caches. */
  private static final long BYTES = 1L << 30;

  /** Measures the limits of the machine, such as memory bandwidth and FLOP/s. */
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

  /** Prints the limits in one line. */
  void print(PrintStream out) {
    out.printf(
        "memory is read with %s GB/s; GEMM 2048 x 2048 x 2048: f32 %s, bf16 %s GFLOP/s%n",
        BenchTable.number(read * 1e-9),
        BenchTable.number(single * 1e-9),
        BenchTable.number(half * 1e-9));
  }

  /** Returns the share of the reading rate if each token reads all weights of {@code subject}. */
  double reading(BenchModel subject, Dtype dtype, double tokens) {
    return subject.multiplied() * (dtype == Dtype.BF16 ? 2.0 : 4.0) * tokens / read;
  }

  /** Returns the share of the GEMM rate at 2 operations per weight and token. */
  double multiplying(BenchModel subject, Dtype dtype, double tokens) {
    return 2.0 * subject.multiplied() * tokens / (dtype == Dtype.BF16 ? half : single);
  }
}
