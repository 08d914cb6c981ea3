package roll.openai.request;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import roll.api.option.UserException;
import roll.api.strategy.Sampling;

/** Parses the sampling parameters that dialects share. */
public final class SamplingParams {
  /** The parameters that chat and text completions share. */
  public static final Set<String> NAMES =
      Set.of(
          "model",
          "temperature",
          "top_p",
          "top_k",
          "min_p",
          "max_tokens",
          "stop",
          "stop_token_ids",
          "n",
          "seed",
          "logprobs",
          "repetition_penalty",
          "presence_penalty",
          "frequency_penalty",
          "logit_bias",
          "allowed_token_ids",
          ResponseFormats.NAME,
          "stream",
          "stream_options",
          "user");

  private static final int MOST_STOPS = 16;
  private static final int LONGEST_STOP = 1024;
  private static final int MOST_CHOICES = 128;

  private SamplingParams() {}

  /** Refuses penalties, which the engine lacks. */
  public static void refuseMissing(RequestFields fields) {
    fields.only("presence_penalty", "0", "0.0");
    fields.only("frequency_penalty", "0", "0.0");
  }

  /**
   * Returns the sampling parameters for at most {@code longest} new tokens.
   *
   * @param stop name of the parameter with the stop strings
   * @param size size of the vocabulary
   */
  public static Sampling sampling(RequestFields fields, int longest, String stop, int size) {
    try {
      Sampling sampling =
          Sampling.of(longest)
              .withTemperature(fields.number("temperature", 1))
              .withTopP(fields.number("top_p", 1))
              .withTopK((int) Math.max(0, fields.integer("top_k", 0, -1, Integer.MAX_VALUE)))
              .withMinP(fields.number("min_p", 0))
              .withRepetitionPenalty(fields.number("repetition_penalty", 1))
              .withStopStrings(fields.texts(stop, MOST_STOPS, LONGEST_STOP))
              .withLogitBias(bias(fields, size))
              .withAllowedTokenIds(allowed(fields, size));
      return ResponseFormats.apply(sampling, fields);
    } catch (UserException e) {
      String message = e.getMessage();
      throw ApiException.wrong(
          message.substring(0, message.indexOf(':')), "Invalid value for " + message + ".");
    }
  }

  /** Returns the bias of logits by token id, as OpenAI writes it. */
  private static Map<Integer, Double> bias(RequestFields fields, int size) {
    JsonElement given = fields.get("logit_bias");
    if (given == null) {
      return Map.of();
    }
    String expected = "an object of token ids from 0 to " + (size - 1) + " with numbers";
    if (!(given instanceof JsonObject object)) {
      throw fields.wrong("logit_bias", expected);
    }
    Map<Integer, Double> bias = new HashMap<>();
    object
        .asMap()
        .forEach(
            (id, number) -> {
              if (!id.matches("[0-9]{1,9}")
                  || Integer.parseInt(id) >= size
                  || !(number instanceof JsonPrimitive value && value.isNumber())) {
                throw fields.wrong("logit_bias", expected);
              }
              bias.put(Integer.valueOf(id), value.getAsDouble());
            });
    return bias;
  }

  private static List<Integer> allowed(RequestFields fields, int size) {
    List<Integer> allowed = tokens(fields, "allowed_token_ids", size);
    if (fields.has("allowed_token_ids") && allowed.isEmpty()) {
      throw fields.wrong("allowed_token_ids", "at least one token id");
    }
    return allowed;
  }

  /**
   * Returns the additional stop tokens.
   *
   * @param size size of the vocabulary
   */
  public static List<Integer> stops(RequestFields fields, int size) {
    List<Integer> stops = tokens(fields, "stop_token_ids", size);
    if (stops.size() > MOST_STOPS) {
      throw fields.wrong("stop_token_ids", "at most " + MOST_STOPS + " token ids");
    }
    return stops;
  }

  private static List<Integer> tokens(RequestFields fields, String name, int size) {
    JsonElement given = fields.get(name);
    if (given == null) {
      return List.of();
    }
    Set<Integer> tokens = new LinkedHashSet<>();
    for (JsonElement id : given instanceof JsonArray list ? list : List.of(given)) {
      Long token = RequestFields.whole(id, 0, size - 1L);
      if (token == null) {
        throw fields.wrong(name, "a list of token ids from 0 to " + (size - 1));
      }
      tokens.add(token.intValue());
    }
    return List.copyOf(tokens);
  }

  /** Returns {@code n}, the number of answers to each of {@code prompts}. */
  public static int choices(RequestFields fields, int prompts) {
    return (int) fields.integer("n", 1, 1, Math.max(1, MOST_CHOICES / prompts));
  }

  /** Returns the seed, a random one by default. */
  public static long seed(RequestFields fields) {
    return fields.has("seed")
        ? fields.integer("seed", 0, Long.MIN_VALUE, Long.MAX_VALUE)
        : ThreadLocalRandom.current().nextLong();
  }

  /** Returns whether a stream ends with the token usage. */
  public static boolean usage(RequestFields fields) {
    if (!fields.has("stream_options")) {
      return false;
    }
    if (!fields.flag("stream")) {
      throw ApiException.wrong(
          "stream_options",
          "The 'stream_options' parameter is only allowed when 'stream' is true.");
    }
    fields.only("stream_options", "{\"include_usage\":true}", "{\"include_usage\":false}", "{}");
    return String.valueOf(fields.get("stream_options")).contains("true");
  }

  /** Returns the number of tokens that fit after {@code prompt}. */
  static int room(String parameter, int[] prompt, int longest) {
    if (prompt.length == 0) {
      throw ApiException.wrong(parameter, "The prompt is empty; it needs at least one token.");
    }
    if (prompt.length >= longest) {
      throw ApiException.tooLong(parameter, prompt.length, longest);
    }
    return longest - prompt.length;
  }
}
