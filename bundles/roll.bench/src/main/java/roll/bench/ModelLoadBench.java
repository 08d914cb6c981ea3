package roll.bench;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.strategy.TokenBatch;
import roll.huggingface.ModelFolder;
import roll.huggingface.TensorFormat;
import roll.torch.Device;
import roll.torch.Precision;
import roll.torch.model.Decoder;
import roll.torch.model.Models;
import roll.torch.model.Parameters;
import roll.torch.model.Scorer;

/**
 * Measures time and memory to save and load a model, as f32 and bf16 files, for training and for
 * inference. The files are in the page cache.
 */
final class ModelLoadBench {
  private static final int TOKENS = 64;

  private final Models models;
  private final Device device;
  private final BenchTable table;

  /** Creates a load bench and prints a heading. */
  ModelLoadBench(PrintStream out, Models models, Device device) {
    this.models = models;
    this.device = device;
    out.println("\nLoading. Memory: increase over the memory held before. First pass: scoring");
    out.println(TOKENS + " tokens, which reads every weight.");
    this.table =
        new BenchTable(
            out,
            12,
            "files, use",
            "save s",
            "load s",
            "load peak MiB",
            "first pass s",
            "pass peak MiB");
  }

  /** Saves random weights into {@code folder} in both formats, and loads each for every use. */
  void run(ModelFolder folder) {
    for (TensorFormat format : List.of(TensorFormat.F32, TensorFormat.BF16)) {
      double saved = device.call(() -> RandomModel.save(device, folder, format));
      ModelFolder full = models.folder(folder.path());
      row(format + ", training", saved, full, Dtype.FP32, () -> models.read(device, full, 1));
      for (Dtype dtype : Dtype.values()) {
        String use = format + ", inference " + (dtype == Dtype.BF16 ? "bf16" : "f32");
        row(use, saved, full, dtype, () -> models.map(device, full, 1, dtype, List.of()));
      }
    }
  }

  private void row(
      String use, double saved, ModelFolder folder, Dtype dtype, Supplier<Parameters> loading) {
    if (Thread.currentThread().isInterrupted()) {
      return;
    }
    PeakMemory before = PeakMemory.reset();
    long start = System.nanoTime();
    Parameters parameters = device.call(loading::get);
    double load = (System.nanoTime() - start) * 1e-9;
    String loaded = before.above();
    try {
      start = System.nanoTime();
      device.call(() -> score(parameters, folder, dtype));
      double pass = (System.nanoTime() - start) * 1e-9;
      table.row(use, saved, load, loaded, pass, before.above());
    } finally {
      device.call(
          () -> {
            parameters.close();
            return true;
          });
    }
  }

  private boolean score(Parameters parameters, ModelFolder folder, Dtype dtype) {
    boolean[] scored = new boolean[TOKENS];
    Arrays.fill(scored, 1, TOKENS, true);
    TokenBatch batch = new TokenBatch(new int[] {0, TOKENS}, new int[TOKENS], scored);
    try (Decoder decoder = new Decoder(device, folder.spec(), Precision.of(dtype), TOKENS)) {
      new Scorer(device, decoder, TOKENS).score(parameters, batch);
      return true;
    }
  }
}
