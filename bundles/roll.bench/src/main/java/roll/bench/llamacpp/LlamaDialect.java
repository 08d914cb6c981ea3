package roll.bench.llamacpp;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import roll.bench.llamacpp.LlamaFigure.Work;

/** The names that a tool gives its columns, and what its rows say. */
enum LlamaDialect {
  /** llama-bench's Markdown. */
  BENCH_TABLE,
  /** llama-bench's CSV and JSON. */
  BENCH_FIELDS,
  /** llama-batched-bench's Markdown. */
  BATCHED_TABLE,
  /** llama-batched-bench's JSON. */
  BATCHED_FIELDS;

  /** The tools' older versions put a space before the number. */
  private static final Pattern TEST =
      Pattern.compile("(?:pp ?(\\d{1,9}))?\\+?(?:tg ?(\\d{1,9}))?(?: @ d(\\d{1,9}))?");

  /** Those that all of its rows have. */
  private List<String> columns() {
    return switch (this) {
      case BENCH_TABLE -> List.of("model", "test", "t/s");
      case BENCH_FIELDS -> List.of("model_type", "n_prompt", "n_gen", "avg_ts");
      case BATCHED_TABLE -> List.of("PP", "TG", "B", "S_PP t/s", "S_TG t/s");
      case BATCHED_FIELDS -> List.of("pp", "tg", "pl", "speed_pp", "speed_tg");
    };
  }

  /** The dialect whose columns are all in {@code names}; null if there is none. */
  static @Nullable LlamaDialect of(Collection<String> names) {
    for (LlamaDialect dialect : values()) {
      if (names.containsAll(dialect.columns())) {
        return dialect;
      }
    }
    return null;
  }

  /** The figures of {@code row}. */
  List<LlamaFigure> figures(LlamaRow row, LlamaLog log) {
    return switch (this) {
      case BENCH_TABLE -> List.of(tested(row, log));
      case BENCH_FIELDS ->
          List.of(
              bench(
                  row,
                  log.format(row.place(), LlamaFormat.ofModel(row.text("model_type"))),
                  List.of(
                      row.count("n_prompt", 0),
                      row.count("n_gen", 0),
                      row.cells().containsKey("n_depth") ? row.count("n_depth", 0) : 0),
                  row.rate("avg_ts"),
                  row.weights("model_n_params")));
      case BATCHED_TABLE, BATCHED_FIELDS -> batched(row, log);
    };
  }

  private static LlamaFigure tested(LlamaRow row, LlamaLog log) {
    Matcher test = TEST.matcher(row.text("test"));
    if (!test.matches()) {
      throw row.place()
          .mistake(
              "test '" + LlamaPlace.brief(row.text("test")) + "'",
              "a test such as pp224 or tg32 @ d224");
    }
    List<Integer> tokens = new ArrayList<>();
    for (int group = 1; group <= 3; group++) {
      tokens.add(test.group(group) == null ? 0 : Integer.parseInt(test.group(group)));
    }
    return bench(
        row,
        log.format(row.place(), LlamaFormat.ofModel(row.text("model"))),
        tokens,
        row.rate("t/s"),
        row.weights("params"));
  }

  /** With {@code tokens} of the prompt, generated, and before both. */
  private static LlamaFigure bench(
      LlamaRow row, LlamaFormat format, List<Integer> tokens, double rate, double weights) {
    int prompt = tokens.get(0);
    int generated = tokens.get(1);
    int depth = tokens.get(2);
    if (prompt + generated == 0) {
      throw row.place().mistake("a test of 0 tokens", "a prompt or generated tokens");
    }
    String name = prompt > 0 ? "pp" + prompt : "";
    name += generated == 0 ? "" : (prompt > 0 ? "+tg" : "tg") + generated;
    name += depth > 0 ? " @ d" + depth : "";
    Work work = generated == 0 ? Work.PREFILL : prompt == 0 ? Work.DECODING : Work.BOTH;
    return new LlamaFigure(format, work, 1, name, rate, weights);
  }

  private List<LlamaFigure> batched(LlamaRow row, LlamaLog log) {
    List<String> columns = columns();
    int prompt = row.count(columns.get(0), 0);
    int generated = row.count(columns.get(1), 0);
    int batch = row.count(columns.get(2), 1);
    boolean shared =
        row.cells().containsKey("is_pp_shared")
            ? row.count("is_pp_shared", 0) == 1
            : log.sharedPrompt();
    LlamaFormat format = log.format(row.place(), null);
    List<LlamaFigure> figures = new ArrayList<>();
    if (prompt > 0) {
      int prompts = shared ? 1 : batch;
      String test = (prompts > 1 ? prompts + " x " : "") + "pp" + prompt;
      double rate = row.rate(columns.get(3));
      figures.add(new LlamaFigure(format, Work.PREFILL, prompts, test, rate, log.weights()));
    }
    if (generated > 0) {
      String test = "tg" + generated + (prompt > 0 ? " @ d" + prompt : "");
      double rate = row.rate(columns.get(4));
      int sequences = log.oneByOne() ? 1 : batch;
      figures.add(new LlamaFigure(format, Work.DECODING, sequences, test, rate, log.weights()));
    }
    return figures;
  }
}
