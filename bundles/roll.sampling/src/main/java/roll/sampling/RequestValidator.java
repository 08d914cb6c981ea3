package roll.sampling;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.model.Tokenizer;
import roll.api.model.TokenizerLoader;
import roll.api.model.VisionSpec;
import roll.api.option.UserException;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.api.strategy.StructuredOutput;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TokenListener;
import roll.huggingface.ModelFolder;
import roll.sampling.grammar.TokenTexts;

/**
 * Validates requests to a model. Loads its tokenizer if stop strings, choices or grammars need it,
 * and owns it. Used only on the compute thread.
 */
public final class RequestValidator implements AutoCloseable {
  private final ModelFolder folder;
  private final TokenizerLoader tokenizers;
  private final @Nullable PictureCatalog pictures;
  private final int longest;
  private final String limit;
  private final Grammars grammars = new Grammars();
  private @Nullable Tokenizer tokenizer;

  /**
   * Creates the validation for the model in {@code folder}, without vision.
   *
   * @param tokenizers loads its tokenizer on demand
   */
  public RequestValidator(ModelFolder folder, TokenizerLoader tokenizers) {
    this(
        folder,
        tokenizers,
        null,
        folder.spec().maxPositions(),
        "max_position_embeddings of " + folder.path());
  }

  /**
   * Creates the validation with limits.
   *
   * @param pictures reads the pictures of prompts; null if the model has no vision
   * @param longest maximum tokens of prompt and response
   * @param limit name of that limit, for messages
   */
  public RequestValidator(
      ModelFolder folder,
      TokenizerLoader tokenizers,
      @Nullable PictureCatalog pictures,
      int longest,
      String limit) {
    this.folder = folder;
    this.tokenizers = tokenizers;
    this.pictures = pictures;
    this.longest = longest;
    this.limit = limit;
  }

  /**
   * Returns empty responses to {@code requests}, in their order.
   *
   * @param requests with their own limits; the model's positions also limit responses
   * @param listener receives each token when it is {@link ResponseState#add added}; null for no
   *     listener
   * @throws UserException naming what is not supported and what is allowed
   */
  public List<ResponseState> responses(
      List<GenerationRequest> requests, @Nullable TokenListener listener) {
    Map<List<String>, ChoiceTrie> choices = new HashMap<>();
    List<ResponseState> responses = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      GenerationRequest request = requests.get(i);
      int index = i;
      checkPrompt(request.prompt());
      checkTokenSettings(request);
      responses.add(
          new ResponseState(
              request,
              shown(request),
              Math.min(request.sampling().maxNewTokens(), room(request.prompt())),
              guide(request, choices),
              stopStrings(request.sampling()),
              listener == null
                  ? null
                  : (token, logProb) -> listener.sampled(index, token, logProb)));
    }
    return responses;
  }

  /** Returns the catalog of pictures; null if the model has no vision. */
  public @Nullable PictureCatalog pictures() {
    return pictures;
  }

  private PictureCatalog.@Nullable Shown shown(GenerationRequest request) {
    if (pictures != null) {
      return pictures.look(request.prompt(), request.pictures());
    }
    checkBlind("prompt", request.pictures());
    return null;
  }

  private void checkBlind(String what, List<?> shown) {
    if (folder.spec().vision() == null && !shown.isEmpty()) {
      throw new UserException(
          "%s: has pictures, but the model %s does not support vision"
              .formatted(what, folder.path()));
    }
  }

  /** Returns the maximum number of tokens after {@code prompt}. */
  private int room(int[] prompt) {
    return longest - prompt.length;
  }

  private void checkPrompt(int[] prompt) {
    if (prompt.length == 0) {
      throw new UserException("prompt: is empty, at least one token is needed");
    }
    if (room(prompt) <= 0) {
      throw new UserException(
          "prompt: %d tokens leave no room for a response (%s: %d)"
              .formatted(prompt.length, limit, longest));
    }
    checkTokens("prompt", prompt);
  }

  /** Checks the tokens that the sampling settings name. */
  private void checkTokenSettings(GenerationRequest request) {
    Sampling sampling = request.sampling();
    checkTokens(
        "logit_bias", sampling.logitBias().keySet().stream().mapToInt(token -> token).toArray());
    int[] allowed = sampling.allowedTokenIds().stream().mapToInt(token -> token).toArray();
    checkTokens("allowed_token_ids", allowed);
    if (allowed.length > 0 && Arrays.stream(allowed).allMatch(token -> excluded(request, token))) {
      throw new UserException(
          "allowed_token_ids: found %s, none of which may be sampled%s"
              .formatted(
                  sampling.allowedTokenIds(),
                  sampling.minNewTokens() > 0 ? " before min_new_tokens" : ""));
    }
  }

  /** Returns whether {@code token} cannot be the first of the response. */
  private boolean excluded(GenerationRequest request, int token) {
    VisionSpec vision = folder.spec().vision();
    return (vision != null && (token == vision.imageToken() || token == vision.videoToken()))
        || (request.sampling().minNewTokens() > 0 && request.stopTokens().contains(token));
  }

  /**
   * Refuses samples that the model cannot score.
   *
   * @throws UserException naming the problem and what is allowed
   */
  public void check(TokenBatch batch) {
    int most = folder.spec().maxPositions();
    for (int i = 0; i < batch.samples(); i++) {
      int length = batch.offsets()[i + 1] - batch.offsets()[i];
      if (length > most) {
        throw new UserException(
            "text: has %d tokens, allowed are %d (max_position_embeddings of %s)"
                .formatted(length, most, folder.path()));
      }
    }
    checkTokens("text", batch.tokens());
    checkBlind("text", batch.pictures());
  }

  private void checkTokens(String what, int[] tokens) {
    int vocabulary = folder.spec().vocabulary();
    for (int token : tokens) {
      if (token < 0 || token >= vocabulary) {
        throw new UserException(
            "%s: token %d is outside the vocabulary of %s (0 to %d)"
                .formatted(what, token, folder.path(), vocabulary - 1));
      }
    }
  }

  private @Nullable StopStrings stopStrings(Sampling sampling) {
    return sampling.stopStrings().isEmpty()
        ? null
        : new StopStrings(sampling.stopStrings(), tokenizer());
  }

  /**
   * Returns the tree of the choices of {@code request}, cached for equal choices; null if it has
   * none.
   */
  private @Nullable ChoiceTrie choices(
      GenerationRequest request, Map<List<String>, ChoiceTrie> made) {
    List<String> texts = request.sampling().choices();
    if (texts.isEmpty()) {
      return null;
    }
    ChoiceTrie choices =
        made.computeIfAbsent(
            texts, list -> ChoiceTrie.of(list.stream().map(tokenizer()::encode).toList()));
    if (choices.ambiguous() && request.stopTokens().isEmpty()) {
      throw new UserException(
          "choices: one of '%s' is a prefix of another, and no stop token can end it"
              .formatted(String.join("', '", texts)));
    }
    if (choices.cutBy(request.stopTokens())) {
      throw new UserException(
          "choices: one of '%s' contains a stop token".formatted(String.join("', '", texts)));
    }
    return choices;
  }

  private @Nullable Guide guide(GenerationRequest request, Map<List<String>, ChoiceTrie> choices) {
    StructuredOutput output = request.sampling().structuredOutput();
    return output == null
        ? choices(request, choices)
        : grammars.guide(output, request.stopTokens(), this::texts);
  }

  /**
   * Compiles the grammars of {@code requests}, so that the compute thread need not. For use from
   * any thread.
   *
   * @throws UserException in one line if one is malformed, not supported or too large
   */
  public void compile(List<GenerationRequest> requests) {
    for (GenerationRequest request : requests) {
      StructuredOutput output = request.sampling().structuredOutput();
      if (output != null) {
        grammars.compile(output);
      }
    }
  }

  private TokenTexts texts() {
    VisionSpec vision = folder.spec().vision();
    Tokenizer read = tokenizer();
    return new TokenTexts(
        folder.spec().vocabulary(),
        token ->
            vision != null && (token == vision.imageToken() || token == vision.videoToken())
                ? null
                : read.bytes(token));
  }

  private Tokenizer tokenizer() {
    Tokenizer loaded = tokenizer;
    if (loaded == null) {
      loaded = tokenizers.load(folder.path());
      tokenizer = loaded;
    }
    return loaded;
  }

  /** Frees the tokenizer of the request validator. */
  @Override
  public void close() {
    if (tokenizer != null) {
      tokenizer.close();
    }
  }
}
