package roll.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.engine.Engine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.EstimatorInfo;
import roll.api.estimator.TokenRewards;
import roll.api.loss.LossInfo;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.PolicyLoss;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.decoder.DecoderParameters;
import roll.huggingface.HuggingFaceTokenizers;
import roll.math.PolicyLossEvaluator;
import roll.model.qwen2.Qwen2Family;
import roll.torch.Device;
import roll.torch.Devices;
import roll.torch.model.Models;

class BenchTest {
  private static Map<String, @Nullable Object> small() {
    Map<String, @Nullable Object> config = new LinkedHashMap<>(BenchModel.hundredMillion());
    config.put("vocab_size", 50);
    config.put("hidden_size", 32);
    config.put("intermediate_size", 48);
    config.put("num_hidden_layers", 2);
    config.put("num_attention_heads", 4);
    config.put("num_key_value_heads", 2);
    return config;
  }

  private static BenchModel subject() {
    return new BenchModel(
        "small", Path.of("none"), new Qwen2Family().describe("test", small()), 2, 8, 3, 2);
  }

  /** 2 layers of 32·32 (q) + 2·16·32 (k, v) + 32·32 (o) + 3·48·32, and the tied head 50·32. */
  @Test
  void countsOperations() {
    BenchModel subject = subject();
    long weights = 2 * (1024 + 1024 + 1024 + 4608) + 1600;
    assertEquals(weights, subject.multiplied());
    assertEquals(16, subject.tokens());
    double attention = 2 * 6.0 * 2 * 8 * 8 * 32;
    assertEquals(3 * (6.0 * weights * 16 + attention), subject.trainingFlops());
    // A and B of rank 16: q, o 32 + 32; k, v 32 + 16; gate, up, down 32 + 48
    long adapters = 2 * 16 * (2 * 64 + 2 * 48 + 3 * 80);
    BenchModel lora = subject.withAdapters();
    assertEquals(weights, lora.multiplied());
    assertEquals(3 * ((4.0 * weights + 6.0 * adapters) * 16 + attention), lora.trainingFlops());
  }

  @Test
  void theLargeModelHasAHundredMillionWeights() {
    long size =
        DecoderParameters.size(new Qwen2Family().describe("test", BenchModel.hundredMillion()));
    assertTrue(size > 95_000_000 && size < 115_000_000, () -> size + " weights");
  }

  /** 24 layers of 14.9 M, and one matrix of 32,000 × 896 for embedding and head. */
  @Test
  void theModelLlamaCppWasMeasuredWithHas387MillionWeights() {
    var spec = new Qwen2Family().describe("test", BenchModel.fourHundredMillion());
    assertEquals(386_570_112L, DecoderParameters.size(spec));
    BenchModel subject = new BenchModel("387M", Path.of("none"), spec, 1, 1, 1, 1);
    long biases = 24L * (896 + 2 * 128);
    long norms = 24L * 2 * 896 + 896;
    assertEquals(386_570_112L - biases - norms, subject.multiplied());
  }

  @Test
  void theHalfBillionModelIsThatOfQwen() {
    assertEquals(
        494_032_768L,
        DecoderParameters.size(new Qwen2Family().describe("test", BenchModel.halfBillion())));
  }

  @Test
  void savesAndLoads(@TempDir Path folder) throws IOException {
    Path shipped = Path.of(System.getProperty("roll.root"), "configs/models/frozen-lake-tiny");
    Map<String, @Nullable Object> config = small();
    config.put("vocab_size", 150);
    RandomModel.describe(folder, config, shipped);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Device device = new Device(() -> Engine.getEngine("PyTorch"), 1)) {
      Devices devices = Devices.on(device);
      Models models = new Models(devices, new HuggingFaceTokenizers(devices));
      models.add(new Qwen2Family(), Map.of("roll.model", new String[] {"qwen2"}));
      PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
      new ModelLoadBench(out, models, device).run(models.folder(folder));
    }
    List<String> rows =
        bytes.toString(StandardCharsets.UTF_8).lines().filter(l -> l.contains("F")).toList();
    for (String use : List.of("F32, training", "BF16, training", "BF16, inference bf16")) {
      assertTrue(rows.stream().anyMatch(row -> row.startsWith(use)), () -> use + " in " + rows);
    }
  }

  @Test
  void printsTables() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Device device = new Device(() -> Engine.getEngine("PyTorch"), 1)) {
      PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
      Bench bench = new Bench(out, device, List.of(subject()), true);
      Bench.machine(out);
      bench.models();
      bench.gemm();
      bench.train();
      bench.algorithms(Map.of("togo", new ToGo()), Map.of("ratio", new Ratio()));
    }
    List<String> lines = bytes.toString(StandardCharsets.UTF_8).lines().toList();
    for (String row :
        List.of(
            "  small (",
            "2048 x 256 x 256 ",
            "small, 16 tokens",
            "small f32 ",
            "small bf16 x2",
            "small f32 ckpt ",
            "small bf16 ckpt ",
            "small LoRA f32 ",
            "small LoRA bf16 ckpt ",
            "togo ",
            "slowest: ")) {
      String line = lines.stream().filter(l -> l.startsWith(row)).findFirst().orElse("none");
      assertTrue(line.matches(".*[0-9].*") && !line.contains("NaN"), row + ": " + line);
    }
  }

  private static final class ToGo implements AdvantageEstimator {
    @Override
    public EstimatorInfo info() {
      return EstimatorInfo.of("reward to go", "A_t = r_t + γ · A_{t+1}", "Williams 1992");
    }

    @Override
    public Advantages estimate(TokenRewards rewards, Options options) {
      return Advantages.of(rewards.rewardsToGo(rewards.gamma()));
    }
  }

  private static final class Ratio implements PolicyLoss {
    @Override
    public LossInfo info() {
      return LossInfo.of("ratio", "L = −ρA", "none").withSurvey();
    }

    @Override
    public double[] survey(LossInput whole, Options options, long[] keys) {
      return new double[whole.layout().mask().length];
    }

    @Override
    public LossResult evaluate(LossInput input, Options options) {
      return new PolicyLossEvaluator(input)
          .evaluate(t -> t.byRatio(-t.ratio() * t.advantage(), -t.ratio() * t.advantage()));
    }
  }

  @Test
  void readsTheLine() {
    BenchArguments all = read();
    assertEquals(List.of("gemm", "train", "infer", "algorithms"), all.parts());
    assertEquals(Path.of("configs/models/frozen-lake-tiny"), all.model());
    assertFalse(all.quick() || all.large());
    assertEquals(
        new BenchArguments(List.of("train"), List.of(), Path.of("m"), true, true),
        read("train", "--quick", "--large", "--model", "m"));
    assertEquals(
        new BenchArguments(List.of("env"), List.of("a", "n=1"), Path.of("m"), true, false),
        read("env", "a", "--quick", "n=1", "--model=m"));
    assertComplains(
        "bench: unexpected 'tran' (allowed: gemm, train, sharing, spread, infer, speculation,"
            + " solver, algorithms, load, card, env, rollout); did you mean 'train'?",
        "tran");
    assertComplains("bench: env cannot be combined with gemm", "gemm", "env");
    assertComplains(
        "bench: unknown option --quik; did you mean '--quick'?; usage: bench"
            + " [gemm|train|sharing|spread|infer|speculation|solver|algorithms|load|card|env|rollout"
            + " …] [--quick] [--large] [--model <folder>]",
        "--quik");
    assertComplains("bench: --model needs a value", "--model");
  }

  @Test
  void theHelpExplainsEveryPart() {
    String help = BenchCommand.SYNTAX.help();
    for (String part : BenchArguments.WORDS) {
      assertTrue(help.contains("\n  " + part + "  "), part);
    }
  }

  static BenchArguments read(String... words) {
    return BenchArguments.of(BenchCommand.SYNTAX.read(words));
  }

  private static void assertComplains(String complaint, String... words) {
    String found =
        String.valueOf(assertThrows(UserException.class, () -> read(words)).getMessage());
    assertTrue(found.startsWith(complaint), found);
  }
}
