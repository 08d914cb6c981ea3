package roll.ui.trajectory;

import com.google.gson.stream.JsonReader;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Sums over the tokens of an episode's sequences. */
final class TokenSums {
  private static final double[] NONE = {};

  private int tokens;
  private int written;
  private int trained;
  private double surprise;
  private double advantages;

  /** Adds the sequence that {@code in} comes to. */
  void add(JsonReader in) throws IOException {
    double[] turns = NONE;
    double[] logProbs = NONE;
    double[] gains = NONE;
    double[] mask = NONE;
    in.beginObject();
    while (in.hasNext()) {
      switch (in.nextName()) {
        case "turns" -> turns = numbers(in);
        case "log_probs" -> logProbs = numbers(in);
        case "advantages" -> gains = numbers(in);
        case "mask" -> mask = numbers(in);
        default -> in.skipValue();
      }
    }
    in.endObject();
    tokens += turns.length;
    for (int t = 0; t < turns.length; t++) {
      if (turns[t] >= 0) {
        written++;
        surprise -= t < logProbs.length ? logProbs[t] : Double.NaN;
      }
      if (t < gains.length && t < mask.length && mask[t] != 0) {
        trained++;
        advantages += gains[t];
      }
    }
  }

  /** The numbers of an array; those that JSON has no word for are texts. */
  private static double[] numbers(JsonReader in) throws IOException {
    double[] numbers = new double[64];
    int count = 0;
    in.beginArray();
    while (in.hasNext()) {
      if (count == numbers.length) {
        numbers = Arrays.copyOf(numbers, 2 * count);
      }
      numbers[count++] = Double.parseDouble(in.nextString());
    }
    in.endArray();
    return Arrays.copyOf(numbers, count);
  }

  /** Of all sequences. */
  int tokens() {
    return tokens;
  }

  /** Those of them that the policy wrote. */
  int written() {
    return written;
  }

  /** Mean of −log-prob of these; null where there are none. */
  @Nullable Double surprise() {
    return written == 0 ? null : surprise / written;
  }

  /** Mean over what is trained on; null where that is nothing, or not known. */
  @Nullable Double advantage() {
    return trained == 0 ? null : advantages / trained;
  }
}
