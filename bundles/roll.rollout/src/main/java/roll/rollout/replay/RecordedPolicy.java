package roll.rollout.replay;

import java.util.function.UnaryOperator;
import roll.api.image.ImageSize;
import roll.api.model.Tokenizer;
import roll.api.rollout.Policy;
import roll.api.rollout.Prompt;
import roll.api.strategy.Generation;
import roll.api.strategy.Sampling;

/** A policy that repeats the recorded responses. Confined to the thread of one episode. */
final class RecordedPolicy implements Policy {
  private static final Generation UNWRITTEN =
      new Generation(new int[0], new double[0], new double[0], true, -1);

  private final RecordedEpisode episode;
  private final UnaryOperator<ImageSize> seen;
  private int turn = -1;

  /**
   * Creates a policy before its first turn.
   *
   * @param seen maps the size of a picture to the size in which the model sees it
   */
  RecordedPolicy(RecordedEpisode episode, UnaryOperator<ImageSize> seen) {
    this.episode = episode;
    this.seen = seen;
  }

  /** Thrown at the end of the recorded episode. */
  static final class EndOfRecording extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EndOfRecording() {
      super("the recorded episode ended here", null, false, false);
    }
  }

  /** Returns the current turn of the recorded episode. */
  RecordedEpisode.Turn turn() {
    return episode.turns().get(turn);
  }

  /** Returns whether the current turn is the last one. */
  boolean last() {
    return turn == episode.turns().size() - 1;
  }

  @Override
  public Generation respond(Prompt prompt, Sampling sampling, int asked) {
    if (asked >= episode.turns().size()) {
      throw new EndOfRecording();
    }
    turn = asked;
    return UNWRITTEN;
  }

  @Override
  public boolean seesPictures() {
    return true;
  }

  @Override
  public ImageSize seen(ImageSize picture) {
    return seen.apply(picture);
  }

  @Override
  public String text(Generation response, Tokenizer tokenizer, boolean special) {
    return special ? turn().response() : turn().text();
  }
}
