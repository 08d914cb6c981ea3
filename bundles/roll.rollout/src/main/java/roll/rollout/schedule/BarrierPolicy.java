package roll.rollout.schedule;

import roll.api.data.RandomStreams;
import roll.api.image.ImageSize;
import roll.api.rollout.ChatFormat;
import roll.api.rollout.Policy;
import roll.api.rollout.Prompt;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.rollout.generation.GenerationBarrier;
import roll.rollout.supervise.Attempt;
import roll.rollout.supervise.EpisodeSlot;
import roll.runtime.pipeline.RolloutRequest;
import roll.runtime.trace.Span;

/** The policy of an attempt: sends its prompts to the barrier. */
record BarrierPolicy(
    RolloutRequest request, ChatFormat chat, GenerationBarrier barrier, Attempt attempt)
    implements Policy {
  @Override
  public Generation respond(Prompt prompt, Sampling sampling, int turn)
      throws InterruptedException {
    GenerationRequest asked =
        new GenerationRequest(prompt.tokens(), sampling, chat.stops(), seed(turn));
    try (Span span = attempt.trace().chat(prompt.tokens().length)) {
      return barrier.generate(
          attempt, request.policy().generator(), asked.withPictures(prompt.pictures()), span);
    }
  }

  @Override
  public boolean seesPictures() {
    return chat.imageToken() >= 0;
  }

  @Override
  public ImageSize seen(ImageSize picture) {
    return chat.seen(picture);
  }

  /**
   * Returns the sampling seed of a turn; for the first attempt at a planned episode it depends on
   * the slot alone.
   */
  long seed(int turn) {
    EpisodeSlot slot = attempt.slot();
    long seed =
        RandomStreams.seed(
            request.seed(), request.purpose(), slot.group(), slot.episode(), slot.member(), turn);
    boolean planned = slot.draw() == 0 && attempt.number() == 0;
    return planned ? seed : RandomStreams.seed(seed, "again", slot.draw(), attempt.number());
  }
}
