package roll.openai.answer;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One choice of a stream: its parts as tokens come. */
final class ChoiceStream {
  private final int choice;
  private final ResponseFormat shape;
  private final ChoiceBuilder reply;
  private final @Nullable Scoring scoring;

  /** Tokens whose text is sure and is not told yet, since it may belong to a call. */
  private final List<ScoredToken> sure = new ArrayList<>();

  /**
   * Nothing said yet.
   *
   * @param scoring where log-probs are told too, or null
   */
  ChoiceStream(int choice, ResponseFormat shape, ChoiceBuilder reply, @Nullable Scoring scoring) {
    this.choice = choice;
    this.shape = shape;
    this.reply = reply;
    this.scoring = scoring;
  }

  /** Takes a token; gives the parts that can be told now. */
  List<JsonObject> add(PendingGeneration.Drawn drawn) {
    List<Delta> pieces = reply.add(drawn.token());
    if (scoring != null) {
      scoring.add(drawn.token(), drawn.logProb());
      sure.addAll(scoring.sure(reply.length()));
    }
    return parts(pieces);
  }

  /**
   * What was held back, and the part that ends the choice.
   *
   * @param stopped whether the model ended it
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

  /** Those of the tokens that are sure, each once; null where there are none. */
  private @Nullable JsonObject logProbs() {
    if (sure.isEmpty()) {
      return null;
    }
    JsonObject json = shape.logProbs(sure);
    sure.clear();
    return json;
  }
}
