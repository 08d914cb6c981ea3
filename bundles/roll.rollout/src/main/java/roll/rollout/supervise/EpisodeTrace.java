package roll.rollout.supervise;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.api.data.Trajectory;
import roll.api.env.Scenario;
import roll.api.tracking.SpanContext;
import roll.runtime.trace.Span;
import roll.runtime.trace.TraceScope;

/** The spans of an attempt at an episode. Without tracing it records nothing. */
public final class EpisodeTrace {
  private final Span episode;
  private volatile Span turn;

  /** The last call of the environment or the rewards. */
  private volatile Span call = Span.none();

  /** The request of a program that is answered; null without one. */
  private volatile @Nullable Span answered;

  /** The request of a program that calls a tool; null without one. */
  private volatile @Nullable Span calling;

  private EpisodeTrace(Span episode) {
    this.episode = episode;
    this.turn = episode;
  }

  /** Returns a trace that records nothing. */
  public static EpisodeTrace none() {
    return new EpisodeTrace(Span.none());
  }

  /** Begins the span of attempt {@code number} at the episode of {@code slot}. */
  public static EpisodeTrace begin(TraceScope scope, EpisodeSlot slot, int number) {
    return new EpisodeTrace(
        scope
            .episode(slot.key().id())
            .set("roll.tag", slot.tag())
            .set("roll.group", (long) slot.group())
            .set("roll.episode", (long) slot.episode())
            .set("roll.member", (long) slot.member())
            .set("roll.seed", slot.seed())
            .set("roll.attempt", (long) number));
  }

  /** Returns the trace of the attempt that supervises {@code scenario}. */
  public static EpisodeTrace of(Scenario scenario) {
    return scenario instanceof SupervisedScenario supervised
        ? supervised.attempt().trace()
        : none();
  }

  /** Returns the span of the whole attempt. */
  public Span episode() {
    return episode;
  }

  /** Returns the header {@code traceparent} for a program that plays the episode, or null. */
  public @Nullable String traceparent() {
    SpanContext context = episode.context();
    return context == null ? null : context.traceparent();
  }

  /** Begins a turn, which ends the last one; requests of programs are no turns. */
  void turn(int number) {
    if (answered == null) {
      endTurn();
      turn = episode.child("turn").set("roll.turn", (long) number);
    }
  }

  private void endTurn() {
    if (turn != episode) {
      turn.close();
      turn = episode;
    }
  }

  /**
   * Begins to wait for a response.
   *
   * @param tokens number of tokens of the prompt
   */
  public Span chat(int tokens) {
    return chat(Objects.requireNonNullElse(answered, turn), "policy", tokens);
  }

  /** Begins to wait for the response of the reward model {@code model}. */
  public Span rewardModel(String model, int tokens) {
    return chat(call, model, tokens);
  }

  private static Span chat(Span parent, String model, int tokens) {
    return parent
        .child("chat " + model)
        .set("gen_ai.operation.name", "chat")
        .set("gen_ai.provider.name", "roll")
        .set("gen_ai.request.model", model)
        .set("gen_ai.usage.input_tokens", (long) tokens);
  }

  /** Begins a call of the tool {@code tool}. */
  Span tool(String tool) {
    return Objects.requireNonNullElse(calling, turn)
        .child("execute_tool " + tool)
        .set("gen_ai.operation.name", "execute_tool")
        .set("gen_ai.tool.name", tool);
  }

  /** Begins the call {@code name} of the environment. */
  Span environment(String name) {
    Span begun = turn.child("environment " + name);
    call = begun;
    return begun;
  }

  /** Begins the calls of the rewards, after the last turn. */
  Span reward() {
    endTurn();
    Span begun = episode.child("reward");
    call = begun;
    return begun;
  }

  /** Sets the request of a program that is answered from now on; null after it. */
  public void answers(@Nullable Span request) {
    answered = request;
  }

  /** Sets the request of a program that calls a tool from now on; null after it. */
  public void calls(@Nullable Span request) {
    calling = request;
  }

  /**
   * Ends all spans of the attempt.
   *
   * @param ended null if the attempt was dropped
   */
  public void end(@Nullable AttemptResult ended) {
    Trajectory played = ended == null ? null : ended.trajectory();
    Throwable failure = ended == null ? null : ended.failure();
    if (played != null) {
      episode
          .set("roll.finish", played.finish())
          .set("roll.score", played.score())
          .set("roll.turns", (long) played.rewards().length);
    } else if (ended == null) {
      episode.set("roll.finish", "dropped");
    }
    if (failure != null) {
      call.fail(failure); // no effect on a call that has returned
      episode.fail(failure);
    }
    episode.close();
  }
}
