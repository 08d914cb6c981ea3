package roll.openai.answer;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Streams one choice: turns its tokens into events. */
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

  /** Takes a token and returns the events that can be sent. */
  List<StreamEvent> add(PendingGeneration.SampledToken drawn) {
    List<Delta> pieces = reply.add(drawn.token());
    if (scoring != null) {
      scoring.add(drawn.token(), drawn.logProb());
      sure.addAll(scoring.sure(reply.length()));
    }
    return parts(pieces);
  }

  /**
   * Returns the events of the text held back and those that end the choice.
   *
   * @param stopped whether the model ended the choice with a stop token
   */
  List<StreamEvent> end(boolean stopped) {
    List<Delta> pieces = reply.rest();
    if (scoring != null) {
      sure.addAll(scoring.rest(reply.length(), stopped));
    }
    List<StreamEvent> parts = parts(pieces);
    parts.addAll(shape.end(choice, reply.ending(stopped), logProbs()));
    return parts;
  }

  private List<StreamEvent> parts(List<Delta> pieces) {
    List<StreamEvent> parts = new ArrayList<>();
    for (Delta piece : pieces) {
      parts.addAll(shape.chunk(choice, piece, logProbs()));
    }
    return parts;
  }

  /** Returns the log-probs of final tokens that were not sent yet; null if there are none. */
  private @Nullable List<ScoredToken> logProbs() {
    if (sure.isEmpty()) {
      return null;
    }
    List<ScoredToken> told = List.copyOf(sure);
    sure.clear();
    return told;
  }

  /** Returns the number of tokens of the thought. */
  int thought() {
    return reply.thought();
  }
}
