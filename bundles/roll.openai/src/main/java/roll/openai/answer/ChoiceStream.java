package roll.openai.answer;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Streams one choice: turns its tokens into chunks. */
final class ChoiceStream {
  private final int choice;
  private final ResponseFormat shape;
  private final ChoiceBuilder reply;
  private final @Nullable LogProbCollector scoring;

  /** Scored tokens whose text is final but not sent yet, because it may belong to a call. */
  private final List<ScoredToken> sure = new ArrayList<>();

  /**
   * Creates a stream at the beginning of a choice.
   *
   * @param scoring collects log-probs; null if the request wants none
   */
  ChoiceStream(
      int choice, ResponseFormat shape, ChoiceBuilder reply, @Nullable LogProbCollector scoring) {
    this.choice = choice;
    this.shape = shape;
    this.reply = reply;
    this.scoring = scoring;
  }

  /** Takes a token and returns the chunks that can be sent. */
  List<JsonObject> add(PendingGeneration.SampledToken drawn) {
    List<Delta> pieces = reply.add(drawn.token());
    if (scoring != null) {
      scoring.add(drawn.token(), drawn.logProb());
      sure.addAll(scoring.sure(reply.length()));
    }
    return parts(pieces);
  }

  /**
   * Returns the chunks of the text held back and the chunk that ends the choice.
   *
   * @param stopped whether the model ended the choice with a stop token
   */
  List<JsonObject> end(boolean stopped) {
    List<Delta> pieces = reply.rest();
    if (scoring != null) {
      sure.addAll(scoring.rest(reply.length(), stopped));
    }
    List<JsonObject> parts = parts(pieces);
    parts.add(shape.end(choice, reply.reason(stopped), logProbs()));
    return parts;
  }

  private List<JsonObject> parts(List<Delta> pieces) {
    List<JsonObject> parts = new ArrayList<>();
    for (Delta piece : pieces) {
      parts.add(shape.chunk(choice, piece, logProbs()));
    }
    return parts;
  }

  /** Returns the log-probs of final tokens that were not sent yet; null if there are none. */
  private @Nullable JsonObject logProbs() {
    if (sure.isEmpty()) {
      return null;
    }
    JsonObject json = shape.logProbs(sure);
    sure.clear();
    return json;
  }
}
