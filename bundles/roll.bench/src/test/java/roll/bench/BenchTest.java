package roll.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.engine.Engine;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import roll.api.config.UserException;
import roll.model.qwen2.Qwen2Family;
import roll.torch.Device;

class BenchTest {
  private static Subject subject() {
    Map<String, @Nullable Object> config = new LinkedHashMap<>(Subject.hundredMillion());
    config.put("vocab_size", 50);
    config.put("hidden_size", 32);
    config.put("intermediate_size", 48);
    config.put("num_hidden_layers", 2);
    config.put("num_attention_heads", 4);
    config.put("num_key_value_heads", 2);
    return new Subject(
        "small", Path.of("none"), new Qwen2Family().describe("test", config), 2, 8, 3, 2);
  }

  /** 2 layers of 32·32 (q) + 2·16·32 (k, v) + 32·32 (o) + 3·48·32, and the tied head 50·32. */
  @Test
  void countsOperations() {
    Subject subject = subject();
    long weights = 2 * (1024 + 1024 + 1024 + 4608) + 1600;
    assertEquals(weights, subject.multiplied());
    assertEquals(16, subject.tokens());
    assertEquals(3 * (6.0 * weights * 16 + 2 * 6.0 * 2 * 8 * 8 * 32), subject.trainingFlops());
  }

  @Test
  void theLargeModelHasAHundredMillionWeights() {
    long size = new Qwen2Family().describe("test", Subject.hundredMillion()).size();
    assertTrue(size > 95_000_000 && size < 115_000_000, () -> size + " weights");
  }

  @Test
  void printsTables() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Device device = new Device(() -> Engine.getEngine("PyTorch"), 1)) {
      PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
      Bench bench = new Bench(out, device, List.of(subject()), true);
      bench.machine();
      bench.gemm();
      bench.train();
      UserException none = assertThrows(UserException.class, () -> bench.infer(null));
      assertEquals("bench infer: no strategy 'hf_infer' is registered", none.getMessage());
    }
    List<String> lines = bytes.toString(StandardCharsets.UTF_8).lines().toList();
    for (String row :
        List.of(
            "2048 x 256 x 256 ",
            "small, 16 tokens",
            "small f32 ",
            "small bf16 x2",
            "small f32 ckpt ",
            "small bf16 ckpt ")) {
      String line = lines.stream().filter(l -> l.startsWith(row)).findFirst().orElse("none");
      assertTrue(line.matches(".*[0-9].*") && !line.contains("NaN"), row + ": " + line);
    }
  }

  @Test
  void readsTheLine() {
    BenchCommand.Call all = BenchCommand.Call.of();
    assertEquals(List.of("gemm", "train", "infer"), all.parts());
    assertTrue(!all.quick() && !all.help());
    BenchCommand.Call some = BenchCommand.Call.of("train", "--quick", "--model", "m");
    assertEquals(new BenchCommand.Call(List.of("train"), Path.of("m"), true, false), some);
    UserException wrong = assertThrows(UserException.class, () -> BenchCommand.Call.of("--quik"));
    assertEquals(
        "bench: unexpected '--quik' (allowed: gemm, train, infer, --quick, --model, --help);"
            + " did you mean '--quick'?",
        wrong.getMessage());
  }
}
