package roll.bench.llamacpp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.bench.llamacpp.LlamaFigure.Work;

class LlamaOutputTest {
  private static final double WEIGHTS = 386_570_112;
  private static final double ROUNDED = 386.57e6;

  private static LlamaFigure figure(
      LlamaFormat format, Work work, int batch, String test, double rate, double weights) {
    return new LlamaFigure(format, work, batch, test, rate, weights);
  }

  @Test
  void readsMarkdownOfLlamaBench() {
    LlamaFormat other = new LlamaFormat("Q4_K - Medium", null);
    assertEquals(
        List.of(
            figure(LlamaFormat.F32, Work.PREFILL, 1, "pp224", 200.5, ROUNDED),
            figure(LlamaFormat.F32, Work.DECODING, 1, "tg32 @ d224", 20, ROUNDED),
            figure(LlamaFormat.BF16, Work.DECODING, 1, "tg32 @ d224", 50.25, ROUNDED),
            figure(LlamaFormat.BF16, Work.BOTH, 1, "pp224+tg32", 120, ROUNDED),
            figure(other, Work.DECODING, 1, "tg128", 90, ROUNDED)),
        Printed.output("bench.md", null).figures());
  }

  /** Quotes and commas in a field, and numbers without rounding. */
  @Test
  void readsCsvOfLlamaBench() {
    assertEquals(
        List.of(
            figure(LlamaFormat.F32, Work.PREFILL, 1, "pp224", 200.5, WEIGHTS),
            figure(LlamaFormat.F32, Work.DECODING, 1, "tg32 @ d224", 20, WEIGHTS)),
        Printed.output("bench.csv", null).figures());
  }

  @Test
  void readsJsonAndJsonLinesOfLlamaBench() {
    List<LlamaFigure> figures =
        List.of(
            figure(LlamaFormat.BF16, Work.PREFILL, 1, "pp224", 340.5, WEIGHTS),
            figure(LlamaFormat.BF16, Work.DECODING, 1, "tg32 @ d224", 50.25, WEIGHTS));
    assertEquals(figures, Printed.output("bench.json", null).figures());
    assertEquals(figures, Printed.output("bench.jsonl", null).figures());
  }

  @Test
  void readsMarkdownOfBatchedBench() {
    double none = Double.NaN;
    assertEquals(
        List.of(
            figure(LlamaFormat.F32, Work.PREFILL, 1, "pp224", 203.64, none),
            figure(LlamaFormat.F32, Work.DECODING, 1, "tg32 @ d224", 20, none),
            figure(LlamaFormat.F32, Work.PREFILL, 8, "8 x pp224", 200, none),
            figure(LlamaFormat.F32, Work.DECODING, 8, "tg32 @ d224", 89.82, none),
            figure(LlamaFormat.F32, Work.PREFILL, 32, "32 x pp224", 200, none),
            figure(LlamaFormat.F32, Work.DECODING, 32, "tg32 @ d224", 138.38, none)),
        Printed.output("batched.md", LlamaFormat.F32).figures());
  }

  /** Format and weights are logged; the prompt is shared, the sequences come one by one. */
  @Test
  void readsTheLogOfBatchedBench() {
    assertEquals(
        List.of(
            figure(LlamaFormat.BF16, Work.PREFILL, 1, "pp224", 200, 494.03e6),
            figure(LlamaFormat.BF16, Work.DECODING, 1, "tg32 @ d224", 89.82, 494.03e6)),
        Printed.output("batched.log", null).figures());
  }

  @Test
  void readsJsonLinesOfBatchedBench() {
    double none = Double.NaN;
    assertEquals(
        List.of(
            figure(LlamaFormat.BF16, Work.PREFILL, 1, "pp224", 203.64, none),
            figure(LlamaFormat.BF16, Work.DECODING, 1, "tg32 @ d224", 20, none),
            figure(LlamaFormat.BF16, Work.PREFILL, 1, "pp224", 200, none),
            figure(LlamaFormat.BF16, Work.DECODING, 8, "tg32 @ d224", 89.82, none)),
        Printed.output("batched.jsonl", LlamaFormat.BF16).figures());
  }

  /** Byte order mark, line ends of Windows, names of older versions, several runs in one file. */
  @Test
  void readsWhatUsersHave(@TempDir Path folder) throws IOException {
    String table =
        """
        | model | params | test | t/s |
        | --- | ---: | --- | ---: |
        | llama 7B mostly Q4_0 | 6.74 B | pp 512 | 33.5 |
        | llama 7B mostly F16 | 6.74 B | tg 16 | 4.05 ± 0.02 |
        """;
    Path file = folder.resolve("all.txt");
    Files.writeString(
        file,
        "\uFEFF"
            + table.replace("\n", "\r\n")
            + Printed.text("bench.json")
            + Printed.text("bench.md")
            + "\n"
            + Printed.text("bench.jsonl")
            + Printed.text("bench.csv"));
    LlamaOutput read = LlamaOutput.read("all.txt", folder);
    assertEquals("all.txt", read.file());
    assertEquals(2 + 2 + 5 + 2 + 2, read.figures().size());
    assertEquals(
        figure(new LlamaFormat("Q4_0", null), Work.PREFILL, 1, "pp512", 33.5, 6.74e9),
        read.figures().getFirst());
    assertEquals("tg16", read.figures().get(1).test());
    assertEquals(file.toString(), LlamaOutput.read(file.toString(), folder).file());
  }

  /** A test without a prompt, or without a response, has one rate. */
  @Test
  void leavesOutWhatWasNotMeasured() {
    String rows =
        """
        {"pp": 0, "tg": 32, "pl": 2, "speed_pp": 0.0, "speed_tg": 30.5}
        {"pp": 224, "tg": 0, "pl": 2, "speed_pp": 99.5, "speed_tg": 0.0, "more": [{}]}
        """;
    List<LlamaFigure> figures = new LlamaScan("a", rows, new LlamaLog(LlamaFormat.F32)).figures();
    assertEquals(List.of("tg32", "2 x pp224"), figures.stream().map(LlamaFigure::test).toList());
    assertTrue(figures.stream().allMatch(figure -> Double.isNaN(figure.weights())));
  }
}
