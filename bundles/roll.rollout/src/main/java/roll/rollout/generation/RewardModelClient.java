package roll.rollout.generation;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import roll.api.data.Message;
import roll.api.data.RandomStreams;
import roll.api.option.UserException;
import roll.api.reward.ModelScore;
import roll.api.reward.RewardModels;
import roll.api.rollout.ChatFormat;
import roll.api.scoring.SequenceScorer;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Generator;
import roll.api.strategy.Sampling;
import roll.rollout.supervise.Attempt;
import roll.rollout.supervise.EpisodeSlot;
import roll.rollout.supervise.ModelFailure;
import roll.runtime.pipeline.RewardModel;
import roll.runtime.pipeline.RolloutRequest;
import roll.runtime.trace.Span;

/**
 * The reward models, for the rewards of one episode. Requests wait in the same {@link
 * GenerationBarrier} as the policy's, so the requests of all episodes form one batch per model, in
 * slot order.
 */
public final class RewardModelClient implements RewardModels {
  private final RolloutRequest request;
  private final Map<String, ChatFormat> formats;
  private final GenerationBarrier barrier;
  private final Attempt attempt;
  private final AtomicInteger asked = new AtomicInteger();

  /**
   * Creates a client for the rewards of {@code attempt}.
   *
   * @param formats chat format of each model
   */
  public RewardModelClient(
      RolloutRequest request,
      Map<String, ChatFormat> formats,
      GenerationBarrier barrier,
      Attempt attempt) {
    this.request = request;
    this.formats = formats;
    this.barrier = barrier;
    this.attempt = attempt;
  }

  @Override
  public String ask(String name, List<Message> messages) throws InterruptedException {
    RewardModel model = model(name);
    Generator writer = model.generator();
    Sampling sampling = model.sampling();
    if (writer == null || sampling == null) {
      throw mistake("reward_models." + name + ": has a scoring head and generates no text");
    }
    ChatFormat format = format(name);
    int[] prompt = format.opening(messages);
    int room = model.sequenceLength() - prompt.length;
    if (room < 1) {
      throw new UserException(
          "reward_models."
              + name
              + ": a question of "
              + prompt.length
              + " tokens leaves no room for an answer in sequence_length "
              + model.sequenceLength());
    }
    int most = Math.min(room, sampling.maxNewTokens());
    var call =
        new GenerationRequest(prompt, sampling.withMaxNewTokens(most), format.stops(), seed(name))
            .withPictures(Message.pictures(messages));
    try (Span span = attempt.trace().rewardModel(name, prompt.length)) {
      Generation answer = attempt.pausing(() -> barrier.generate(attempt, writer, call, span));
      return model.tokenizer().decode(answer.tokens(), false);
    }
  }

  /** Scores a conversation; one that is too long is truncated at its end, as in verl. */
  @Override
  public ModelScore score(String name, List<Message> messages) throws InterruptedException {
    RewardModel model = model(name);
    SequenceScorer scorer = model.scorer();
    if (scorer == null) {
      throw mistake("reward_models." + name + ": generates text and has no scoring head");
    }
    int[] whole = format(name).whole(messages);
    boolean cut = whole.length > model.sequenceLength();
    int[] read = cut ? Arrays.copyOf(whole, model.sequenceLength()) : whole;
    try (Span span = attempt.trace().rewardModel(name, read.length)) {
      return new ModelScore(attempt.pausing(() -> barrier.score(attempt, scorer, read, span)), cut);
    }
  }

  private RewardModel model(String name) {
    RewardModel model = request.models().get(name);
    if (model == null) {
      throw mistake(
          "reward_models: '"
              + name
              + "' is not configured (found: "
              + request.models().keySet()
              + ")");
    }
    return model;
  }

  private static ModelFailure mistake(String line) {
    return new ModelFailure(new UserException(line));
  }

  private ChatFormat format(String name) {
    return Objects.requireNonNull(formats.get(name), name);
  }

  private long seed(String model) {
    EpisodeSlot slot = attempt.slot();
    return RandomStreams.seed(
        request.seed(),
        request.purpose() + "-" + model,
        slot.group(),
        slot.episode(),
        slot.member(),
        slot.draw(),
        attempt.number(),
        asked.getAndIncrement());
  }
}
