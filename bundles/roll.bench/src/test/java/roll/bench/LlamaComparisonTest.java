package roll.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.option.UserException;
import roll.bench.Decoding.Rate;
import roll.bench.Inference.Rates;
import roll.bench.llamacpp.LlamaFormat;
import roll.bench.llamacpp.LlamaOutput;
import roll.bench.llamacpp.Printed;
import roll.model.qwen2.Qwen2Family;

class LlamaComparisonTest {
  private static List<String> printed(List<LlamaOutput> outputs, Map<Dtype, Rates> own) {
    Subject subject =
        new Subject(
            "387M",
            Path.of("none"),
            new Qwen2Family().describe("test", Subject.fourHundredMillion()),
            1,
            1,
            1,
            1);
    // The rates at which 100 tokens of f32 a second are all of both limits.
    MachineLimits limits =
        new MachineLimits(
            subject.multiplied() * 400.0,
            subject.multiplied() * 200.0,
            subject.multiplied() * 400.0);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    new LlamaComparison(out, limits, subject).print(outputs, own);
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static List<String> rows(List<String> lines) {
    return lines.stream()
        .filter(line -> line.startsWith("f32 ") || line.startsWith("bf16 ") || line.startsWith("Q"))
        .map(line -> line.replaceAll(" {2,}", " | "))
        .toList();
  }

  private static Rates rates(double prefill, double one, double eight, double many) {
    return new Rates(
        Map.of(1, new Rate(one, 0), 8, new Rate(eight, 0), 32, new Rate(many, 0)), prefill);
  }

  /** Shares: f32 20 of 100 tokens; bf16 50.25 of 200 that can be read. The better 20.00 counts. */
  @Test
  void standsSideBySide() {
    Map<Dtype, Rates> own = new EnumMap<>(Dtype.class);
    own.put(Dtype.FP32, rates(401, 30, 60, 69.19));
    own.put(Dtype.BF16, rates(500, 100, 200, 400));
    List<LlamaOutput> outputs =
        List.of(Printed.output("bench.md", null), Printed.output("batched.md", LlamaFormat.F32));
    List<String> lines = printed(outputs, own);
    assertEquals(
        List.of(
            "f32 prefill | pp224 | 204 | 401 | 1.97 | - | - | -",
            "f32 prefill | 8 x pp224 | 200 | 401 | 2.01 | - | - | -",
            "f32 prefill | 32 x pp224 | 200 | 401 | 2.01 | - | - | -",
            "f32 batch 1 | tg32 @ d224 | 20.0 | 30.0 | 1.50 | reading | 20.0 % | 30.0 %",
            "f32 batch 8 | tg32 @ d224 | 89.8 | 60.0 | 0.67 | - | - | -",
            "f32 batch 32 | tg32 @ d224 | 138 | 69.2 | 0.50 | GEMM | 138.4 % | 69.2 %",
            "bf16 prefill | - | - | 500 | - | - | - | -",
            "bf16 batch 1 | tg32 @ d224 | 50.3 | 100 | 1.99 | reading | 25.1 % | 50.0 %",
            "bf16 batch 8 | - | - | 200 | - | - | - | -",
            "bf16 batch 32 | - | - | 400 | - | GEMM | - | 200.0 %",
            "bf16 prompt and response | pp224+tg32 | 120 | - | - | - | - | -",
            "Q4_K - Medium batch 1 | tg128 | 90.0 | - | - | - | - | -"),
        rows(lines));
  }

  /** 494.03 M and 386.57 M weights differ by 28 %; 386.57 M is what is measured. */
  @Test
  void saysThatModelsDiffer() {
    List<LlamaOutput> outputs =
        List.of(Printed.output("batched.log", null), Printed.output("bench.json", null));
    List<String> lines = printed(outputs, Map.of(Dtype.BF16, rates(500, 100, 200, 400)));
    assertEquals(
        "batched.log: a model of 494 M weights, and not of 387 M as here: ratios say little",
        lines.getFirst());
    assertEquals("", lines.get(1));
    assertEquals(
        List.of(
            "bf16 prefill | pp224 (494 M) | 200 | 500 | 2.50 | - | - | -",
            "bf16 prefill | pp224 | 341 | 500 | 1.47 | - | - | -",
            "bf16 batch 1 | tg32 @ d224 (494 M) | 89.8 | 100 | 1.11 | reading | - | 50.0 %",
            "bf16 batch 1 | tg32 @ d224 | 50.3 | 100 | 1.99 | reading | 25.1 % | 50.0 %",
            "bf16 batch 8 | - | - | 200 | - | - | - | -",
            "bf16 batch 32 | - | - | 400 | - | GEMM | - | 200.0 %"),
        rows(lines));
  }

  /** The user stopped it before anything was measured. */
  @Test
  void showsWhatThereIs() {
    List<String> lines = printed(List.of(Printed.output("bench.csv", null)), Map.of());
    assertEquals(
        List.of(
            "f32 prefill | pp224 | 201 | - | - | - | - | -",
            "f32 batch 1 | tg32 @ d224 | 20.0 | - | - | reading | 20.0 % | -"),
        rows(lines));
  }

  @Test
  void measuresInTheFormatsOfTheFiles() {
    assertEquals(
        List.of(Dtype.values()), ComparePart.dtypes(List.of(Printed.output("bench.md", null))));
    assertEquals(
        List.of(Dtype.BF16), ComparePart.dtypes(List.of(Printed.output("bench.json", null))));
    LlamaOutput some = Printed.output("bench.md", null);
    LlamaOutput other = new LlamaOutput("q4.md", some.figures().subList(4, 5));
    assertEquals(
        "bench compare: q4.md: number format Q4_K - Medium found, F32 or BF16 expected",
        assertThrows(UserException.class, () -> ComparePart.dtypes(List.of(other))).getMessage());
  }

  @Test
  void readsTheLine() {
    BenchArguments call = BenchArguments.of("compare", "a.md", "f32=b.md", "--quick");
    assertEquals(List.of("compare"), call.parts());
    assertEquals(List.of("a.md", "f32=b.md"), call.worlds());
    assertEquals(
        "bench: compare is measured alone, without infer",
        assertThrows(UserException.class, () -> BenchArguments.of("infer", "compare", "a"))
            .getMessage());
  }
}
