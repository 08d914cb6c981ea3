package roll.bench.llamacpp;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the tools say in the lines around their tables, which a file may have or not. */
final class LlamaLog {
  private static final Pattern FORMAT =
      Pattern.compile("(?:print_info: file type|llm_load_print_meta: model ftype) *= (.+)");
  private static final Pattern WEIGHTS =
      Pattern.compile("(?:print_info|llm_load_print_meta): model params *= (.+)");
  private static final String SETTINGS = "n_kv_max = ";

  private final @Nullable LlamaFormat given;
  private @Nullable LlamaFormat logged;
  private double weights = Double.NaN;
  private boolean sharedPrompt;
  private boolean oneByOne;

  /** With the format that a user gave beside the file; null if none. */
  LlamaLog(@Nullable LlamaFormat given) {
    this.given = given;
  }

  /** Takes note of {@code line} if it says something. */
  void read(LlamaPlace place, String line) {
    Matcher format = FORMAT.matcher(line);
    if (format.find()) {
      logged = LlamaFormat.stated(format.group(1).strip());
    }
    Matcher count = WEIGHTS.matcher(line);
    if (count.find()) {
      weights = LlamaRow.weights(place, "model params", count.group(1).strip());
    }
    if (line.contains(SETTINGS)) {
      sharedPrompt = line.contains("is_pp_shared = 1");
      oneByOne = line.contains("is_tg_separate = 1");
    }
  }

  /**
   * The format of figures at {@code place}.
   *
   * @param stated by the figures; null if they do not say
   */
  LlamaFormat format(LlamaPlace place, @Nullable LlamaFormat stated) {
    LlamaFormat known = stated != null ? stated : logged != null ? logged : given;
    if (known == null) {
      throw place.mistake("no number format", "f32=FILE or bf16=FILE");
    }
    if (given != null && !known.equals(given)) {
      throw place.mistake("number format " + known.name(), given.name() + ", as given,");
    }
    return known;
  }

  /** How many weights the model has; NaN if unknown. */
  double weights() {
    return weights;
  }

  /** Whether all sequences have one prompt, which is read once. */
  boolean sharedPrompt() {
    return sharedPrompt;
  }

  /** Whether sequences are generated one after the other. */
  boolean oneByOne() {
    return oneByOne;
  }
}
