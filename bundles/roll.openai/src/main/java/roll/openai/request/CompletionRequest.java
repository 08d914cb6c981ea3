package roll.openai.request;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.runtime.serving.ServedModel;

/** The body of a request to {@code /v1/completions}. */
public final class CompletionRequest {
  /** OpenAI's default of {@code max_tokens}. */
  private static final int FEW = 16;

  private static final int MOST_PROMPTS = 128;
  private static final Set<String> KNOWN = known();

  private CompletionRequest() {}

  private static Set<String> known() {
    Set<String> known = new HashSet<>(SamplingParams.NAMES);
    known.addAll(List.of("prompt", "echo", "suffix", "best_of"));
    return Set.copyOf(known);
  }

  /** Parses the parameters in {@code body}. */
  public static RequestFields fields(String body) {
    return RequestFields.read(body, KNOWN);
  }

  /** Returns the generation that {@code fields} request of {@code model}. */
  public static GenerationSpec read(RequestFields fields, ServedModel model, PromptEncoder read)
      throws InterruptedException {
    fields.only("echo", "false");
    fields.only("suffix", "\"\"");
    fields.only("best_of", "1");
    fields.only("logprobs", "0");
    List<int[]> prompts = prompts(fields, model, read);
    int room = Integer.MAX_VALUE;
    for (int[] prompt : prompts) {
      room = Math.min(room, SamplingParams.room("prompt", prompt, model.longest()));
    }
    Set<Integer> stops = new LinkedHashSet<>(model.tokenizer().stopTokens());
    stops.addAll(SamplingParams.stops(fields, model.tokenizer().size()));
    SamplingParams.refuseMissing(fields);
    int limit = (int) Math.min(room, fields.integer("max_tokens", FEW, 1, Integer.MAX_VALUE));
    return new GenerationSpec(
        prompts,
        "",
        List.of(),
        SamplingParams.choices(fields, prompts.size()),
        SamplingParams.sampling(fields, limit, "stop", model.tokenizer().size()),
        List.copyOf(stops),
        SamplingParams.seed(fields),
        fields.has("logprobs"),
        false,
        false,
        fields.flag("stream"));
  }

  /** Returns the prompts: a text, token ids, or a list of either. */
  private static List<int[]> prompts(RequestFields fields, ServedModel model, PromptEncoder read)
      throws InterruptedException {
    JsonElement prompt = fields.get("prompt");
    if (prompt == null) {
      throw fields.wrong("prompt", "a text, token ids, or a list of these");
    }
    int[] single = prompt(prompt, model, read);
    if (single != null) {
      return List.of(single);
    }
    List<int[]> prompts = new ArrayList<>();
    JsonArray all = prompt instanceof JsonArray list ? list : new JsonArray();
    if (all.isEmpty() || all.size() > MOST_PROMPTS) {
      throw fields.wrong("prompt", "from 1 to " + MOST_PROMPTS + " texts or lists of token ids");
    }
    for (JsonElement one : all) {
      int[] tokens = prompt(one, model, read);
      if (tokens == null) {
        throw fields.wrong("prompt", "a text, token ids, or a list of these");
      }
      prompts.add(tokens);
    }
    return prompts;
  }

  /** Returns the tokens of the prompt {@code json}; null if it is neither a text nor token ids. */
  private static int @Nullable [] prompt(JsonElement json, ServedModel model, PromptEncoder read)
      throws InterruptedException {
    if (json instanceof JsonPrimitive text && text.isString()) {
      return read.encodeStart("prompt", text.getAsString());
    }
    if (!(json instanceof JsonArray list) || list.isEmpty()) {
      return null;
    }
    if (list.size() > model.longest()) {
      throw ApiException.tooLong("prompt", list.size(), model.longest());
    }
    int[] tokens = new int[list.size()];
    for (int i = 0; i < tokens.length; i++) {
      if (!(list.get(i) instanceof JsonPrimitive number) || !number.isNumber()) {
        return null;
      }
      Long token = RequestFields.whole(number, 0, model.tokenizer().size() - 1L);
      if (token == null) {
        throw ApiException.wrong(
            "prompt",
            "Invalid value for 'prompt': expected token ids from 0 to %d, found %s."
                .formatted(model.tokenizer().size() - 1, number));
      }
      tokens[i] = token.intValue();
      read.refusePicture("prompt", tokens[i]);
    }
    return tokens;
  }
}
