package roll.strategy.hf_infer;

import roll.api.config.UserException;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.torch.ModelFolder;

/** What may be asked of a model. */
final class Requests {
  private final ModelFolder folder;

  Requests(ModelFolder folder) {
    this.folder = folder;
  }

  /**
   * Refuses what the model cannot do.
   *
   * @throws UserException saying what is wrong and what is allowed
   */
  void check(GenerationRequest request) {
    int[] prompt = request.prompt();
    int longest = folder.spec().maxPositions();
    if (prompt.length == 0) {
      throw new UserException("prompt: is empty, at least one token is needed");
    }
    if (prompt.length >= longest) {
      throw new UserException(
          "prompt: %d tokens leave no room for a response (max_position_embeddings of %s: %d)"
              .formatted(prompt.length, folder.path(), longest));
    }
    int vocabulary = folder.spec().vocabulary();
    for (int token : prompt) {
      if (token < 0 || token >= vocabulary) {
        throw new UserException(
            "prompt: token %d is outside the vocabulary of %s (0 to %d)"
                .formatted(token, folder.path(), vocabulary - 1));
      }
    }
    check(request.sampling());
  }

  private static void check(Sampling sampling) {
    require(sampling.maxNewTokens() >= 1, "max_new_tokens", sampling.maxNewTokens(), "at least 1");
    double temperature = sampling.temperature();
    require(
        temperature >= 0 && Double.isFinite(temperature), "temperature", temperature, "at least 0");
    double topP = sampling.topP();
    require(topP > 0 && topP <= 1, "top_p", topP, "above 0 and at most 1");
    require(sampling.topK() >= 0, "top_k", sampling.topK(), "at least 0; 0 keeps all");
  }

  private static void require(boolean right, String key, Number found, String allowed) {
    if (!right) {
      throw new UserException("%s: found %s, allowed is %s".formatted(key, found, allowed));
    }
  }

  /** Most tokens of the response: what is asked for, or what the model's positions leave. */
  int limit(GenerationRequest request) {
    int room = folder.spec().maxPositions() - request.prompt().length;
    return Math.min(request.sampling().maxNewTokens(), room);
  }
}
