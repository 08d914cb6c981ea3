package roll.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.engine.Engine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.WorkerConfig.Dtype;
import roll.huggingface.HuggingFaceTokenizers;
import roll.huggingface.ModelFolder;
import roll.model.qwen2.Qwen2Family;
import roll.strategy.hf_infer.HfInferStrategy;
import roll.strategy.vllm.VllmStrategy;
import roll.torch.Device;
import roll.torch.Devices;
import roll.torch.model.Models;

class InferBenchTest {
  private static Map<String, @Nullable Object> config() {
    Map<String, @Nullable Object> config = new LinkedHashMap<>(BenchModel.hundredMillion());
    config.put("vocab_size", 150);
    config.put("hidden_size", 32);
    config.put("intermediate_size", 48);
    config.put("num_hidden_layers", 2);
    config.put("num_attention_heads", 4);
    config.put("num_key_value_heads", 2);
    config.put("max_position_embeddings", 96);
    return config;
  }

  private static BenchModel subject(Path folder) {
    return new BenchModel(
        "small", folder, new Qwen2Family().describe("test", config()), 1, 1, 1, 1);
  }

  /** The output has both strategies with all their columns. */
  @Test
  void printsWhatStrategiesReach(@TempDir Path folder) throws IOException {
    Path shipped = Path.of(System.getProperty("roll.root"), "configs/models/frozen-lake-tiny");
    RandomModel.describe(folder, config(), shipped);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    try (Device device = new Device(() -> Engine.getEngine("PyTorch"), 1)) {
      Devices devices = Devices.on(device);
      HuggingFaceTokenizers tokenizers = new HuggingFaceTokenizers(devices);
      Models models = new Models(devices, tokenizers);
      models.add(new Qwen2Family(), Map.of("roll.model", new String[] {"qwen2"}));
      BenchStrategy waves = new BenchStrategy("hf_infer", new HfInferStrategy(models, tokenizers));
      BenchStrategy fresh = waves.with("no reuse", Map.of("prefix_reuse", false));
      BenchStrategy continuous = new BenchStrategy("vllm", new VllmStrategy(models, tokenizers));
      BenchModel subject = subject(folder);
      DecodeWorkload load = new DecodeWorkload(6, 8, 3, 2, List.of(1, 8, 32), 12, 128, 2);
      InferBench inference = new InferBench(out, new MachineLimits(1e8, 1e9, 1e9));
      inference.decode(List.of(waves, continuous), Map.of(subject, load), List.of(Dtype.values()));
      inference.converse(
          List.of(waves, fresh, continuous),
          List.of(new InferBench.Talk(subject, List.of(Dtype.values()), 1)));
    }
    List<List<String>> rows =
        bytes
            .toString(StandardCharsets.UTF_8)
            .lines()
            .map(line -> List.of(line.strip().split(" {2,}")))
            .toList();
    for (String dtype : List.of("f32", "bf16")) {
      List<List<String>> of =
          rows.stream().filter(row -> row.getFirst().startsWith("small " + dtype)).toList();
      assertEquals(5, of.size(), () -> "rows: " + rows);
      assertEquals("small " + dtype + " hf_infer", of.get(0).getFirst());
      assertEquals("small " + dtype + " vllm", of.get(1).getFirst());
      figures(of.get(0), 11, 4, 8, 9);
      figures(of.get(1), 11, 4);
      figures(of.get(2), 8, 5, 6, 7);
      figures(of.get(3), 8, 6, 7);
      figures(of.get(4), 8);
      assertEquals(of.get(2).get(2), of.get(4).get(2), "tokens said");
    }
    assertEquals(2, rows.stream().filter(row -> row.getFirst().equals("vllm / hf_infer")).count());
  }

  /** Each kind of text and batch size has a row; quoted tokens are proposed and accepted. */
  @Test
  void comparesSpeculativeDecoding(@TempDir Path folder) throws IOException {
    Path shipped = Path.of(System.getProperty("roll.root"), "configs/models/frozen-lake-tiny");
    Map<String, @Nullable Object> config = new LinkedHashMap<>(config());
    config.put("tie_word_embeddings", false);
    config.put("max_position_embeddings", 256);
    RandomModel.describe(folder, config, shipped);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    try (Device device = new Device(() -> Engine.getEngine("PyTorch"), 1)) {
      Devices devices = Devices.on(device);
      HuggingFaceTokenizers tokenizers = new HuggingFaceTokenizers(devices);
      Models models = new Models(devices, tokenizers);
      models.add(new Qwen2Family(), Map.of("roll.model", new String[] {"qwen2"}));
      ModelFolder described = models.folder(folder);
      device.call(
          () -> {
            RandomModel.saveCounting(device, described);
            return true;
          });
      BenchStrategy served = new BenchStrategy("vllm", new VllmStrategy(models, tokenizers));
      new SpeculationBench(out, served, true)
          .run(new BenchModel("small", folder, described.spec(), 1, 1, 1, 1));
    }
    List<List<String>> rows =
        bytes
            .toString(StandardCharsets.UTF_8)
            .lines()
            .filter(line -> line.matches("(quoted|half|new|shuffled) .*"))
            .map(line -> List.of(line.strip().split(" {2,}")))
            .toList();
    assertEquals(8, rows.size(), rows::toString);
    for (List<String> row : rows) {
      assertEquals(8, row.size(), row::toString);
      boolean quotes = row.getFirst().equals("quoted");
      assertTrue(row.get(6).matches(quotes ? "([5-9]\\d|100).* %" : "-|[0-9.]+ %"), row::toString);
    }
  }

  /**
   * {@code row} has so many columns, numbers but in the columns {@code none}: differences of times,
   * which may be negative on a busy machine.
   */
  private static void figures(List<String> row, int columns, int... none) {
    assertEquals(columns, row.size(), () -> "columns of " + row);
    for (int i = 1; i < columns; i++) {
      int column = i;
      String cell = row.get(i);
      if (Arrays.stream(none).anyMatch(other -> other == column)) {
        assertEquals("-", cell, () -> column + " of " + row);
      } else {
        double number = Double.parseDouble(cell.replaceAll("[,% ]", ""));
        assertTrue(Double.isFinite(number), () -> column + " of " + row);
      }
    }
  }

  /**
   * A GB/s reads 1,000 times the weights of a model of 1 MB; each token is 2 operations per weight.
   */
  @Test
  void comparesWithTheMachine() {
    BenchModel subject = subject(Path.of("none"));
    double weights = 2 * (1024 + 1024 + 1024 + 4608) + 150 * 32;
    MachineLimits limits = new MachineLimits(1e9, 2e9, 8e9);
    assertEquals(weights * 4 * 10 / 1e9, limits.reading(subject, Dtype.FP32, 10), 1e-12);
    assertEquals(weights * 2 * 10 / 1e9, limits.reading(subject, Dtype.BF16, 10), 1e-12);
    assertEquals(weights * 2 * 10 / 2e9, limits.multiplying(subject, Dtype.FP32, 10), 1e-12);
    assertEquals(weights * 2 * 10 / 8e9, limits.multiplying(subject, Dtype.BF16, 10), 1e-12);
  }

  @Test
  void measuresTheMachine() {
    try (Device device = new Device(() -> Engine.getEngine("PyTorch"), 1)) {
      MachineLimits limits = MachineLimits.of(device);
      assertTrue(limits.read() > 0 && limits.single() > 0 && limits.half() > 0, limits::toString);
    }
  }

  @Test
  void aWorkloadFitsTheModel() {
    BenchModel subject = subject(Path.of("none"));
    assertTrue(DecodeWorkload.small(subject, false).length() <= 96);
    DecodeWorkload large = DecodeWorkload.large(false);
    assertEquals(List.of(32, 32, 16, 8), large.batches().stream().map(large::tokens).toList());
    assertEquals(257, large.length());
  }
}
