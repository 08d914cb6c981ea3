package roll.worker.environment;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.config.ScheduleConfig;
import roll.runtime.pipeline.PolicyModel;
import roll.runtime.pipeline.RolloutEnvs;
import roll.runtime.pipeline.RolloutRequest;
import roll.runtime.pipeline.RolloutResult;
import roll.runtime.pipeline.RolloutStream;
import roll.runtime.trace.TraceScope;
import roll.runtime.worker.EmptyResult;
import roll.runtime.worker.RollWorker;
import roll.runtime.worker.Task;
import roll.runtime.worker.TaskHandlers;
import roll.runtime.worker.TaskReply;
import roll.runtime.worker.Worker;
import roll.runtime.worker.WorkerContext;
import roll.runtime.worker.WorkerRole;

/**
 * Worker that plays the episodes of a step. It holds no model: the responses come from {@link
 * WorkerContext#policy()}, so that environments may run where the model is not.
 */
@Component(name = "roll.worker.environment")
@RollWorker("environment")
public final class EnvironmentWorker implements WorkerRole {
  /** A worker; fails at once if the environments of training or validation cannot be played. */
  @Override
  public CompletableFuture<Worker> open(WorkerContext context) {
    RunConfig run = context.run();
    String template = context.worker().template();
    check(context, run.rollout().trainEnvs(), template);
    if (run.schedule().validates()) {
      check(context, run.rollout().valEnvs(), template);
    }
    return CompletableFuture.completedFuture(new Playing(context).worker());
  }

  /**
   * Checks the configuration; that first prompts leave room for a response was checked before the
   * run.
   */
  private static void check(WorkerContext context, EnvManagerConfig envs, String template) {
    context
        .rollouts()
        .check(
            envs,
            context.run().rollout().customEnvs(),
            template,
            context.tokenizer(),
            Integer.MAX_VALUE,
            context.worker().chatTemplateKwargs());
  }

  /** Worker of the environment role after its rollouts were configured. */
  private static final class Playing {
    private final WorkerContext context;
    private final QuarantinedTags quarantine = new QuarantinedTags();
    private final UnfinishedEpisodes unfinished = new UnfinishedEpisodes();
    private @Nullable RolloutStream stream;

    Playing(WorkerContext context) {
      this.context = context;
    }

    Worker worker() {
      return new TaskHandlers("environment")
          .on(Task.Play.class, play -> rollout(play).thenApply(this::remember))
          .at(Task.Snapshot.class, snapshot -> snapshot())
          .on(Task.Save.class, save -> save(save.folder()))
          .at(Task.Restore.class, restore -> restore(restore.folder()))
          .worker(this::close);
    }

    private TaskReply<EmptyResult> snapshot() {
      quarantine.snapshot();
      unfinished.snapshot();
      return TaskReply.DONE;
    }

    private CompletableFuture<TaskReply<EmptyResult>> save(Path folder) {
      quarantine.save(folder);
      return unfinished.save(folder).thenApply(nothing -> TaskReply.DONE);
    }

    private TaskReply<EmptyResult> restore(Path folder) {
      quarantine.restore(folder);
      boolean ahead = context.run().schedule().asyncRatio() > 0;
      if (ahead != unfinished.restore(folder, ahead)) {
        context.notice(
            ahead
                ? "the checkpoint has no unfinished groups: all groups of the step are played anew"
                : "the unfinished groups of the checkpoint are not trained:"
                    + " async_generation_ratio is 0");
      }
      return TaskReply.DONE;
    }

    /**
     * Plays the rollout of a step, in asynchronous training from one stream that begins with the
     * first step.
     */
    private CompletableFuture<RolloutResult> rollout(Task.Play play) {
      ScheduleConfig schedule = context.run().schedule();
      if (schedule.asyncRatio() == 0 || !play.purpose().equals("train")) {
        return context.rollouts().play(request(play));
      }
      if (stream == null) {
        int left = Math.max(1, schedule.maxSteps() - play.step());
        RolloutStream begun =
            context.rollouts().stream(
                request(play), schedule.asyncRatio(), left, unfinished.restored());
        begun.notices().forEach(context::notice);
        unfinished.of(begun);
        stream = begun;
      }
      return stream.next(play.groupsByTag());
    }

    private TaskReply<RolloutResult> remember(RolloutResult result) {
      quarantine.add(result.quarantined());
      return new TaskReply<>(result, result.metrics());
    }

    /**
     * Returns the rollout request of a step: new levels in training, always the same levels in
     * validation.
     */
    private RolloutRequest request(Task.Play play) {
      String purpose = play.purpose(); // episodes of other purposes are the same in several steps
      String scope = purpose.equals(TraceScope.TRAIN) ? purpose : purpose + "-" + play.step();
      return untraced(play).traced(context.tracer().scope(scope));
    }

    private RolloutRequest untraced(Task.Play play) {
      RunConfig run = context.run();
      EnvManagerConfig configured = run.rollout().trainEnvs();
      EnvManagerConfig train =
          play.groupsByTag().isEmpty() ? configured : configured.withGroups(play.groupsByTag());
      int trajectories = run.schedule().rolloutBatchSize();
      return switch (play.purpose()) {
        case "train" ->
            request("train", trajectories, train, play.drawn())
                .later(play.step(), quarantine.tags());
        case "greedy" ->
            request("train", trajectories / train.groupSize(), greedy(train), play.drawn())
                .later(play.step(), quarantine.tags());
        default ->
            request(
                "val",
                run.schedule().validation().batchSize(),
                run.rollout().valEnvs(),
                play.drawn());
      };
    }

    private static EnvManagerConfig greedy(EnvManagerConfig envs) {
      return new EnvManagerConfig(
          envs.tags(), envs.groupsByTag(), 1, 0, "none", envs.sampling().withTemperature(0));
    }

    private RolloutRequest request(
        String purpose, int trajectories, EnvManagerConfig envs, int drawn) {
      RunConfig run = context.run();
      return new RolloutRequest(
          purpose,
          run.seed(),
          0,
          trajectories,
          new RolloutEnvs(
              envs, run.rollout().customEnvs(), run.rollout().monitor(), quarantine.tags()),
          new PolicyModel(
              context.worker().template(),
              context.tokenizer(),
              context.policy(),
              run.sequenceLength(),
              context.worker().chatTemplateKwargs()),
          context.rewardModels(),
          drawn);
    }

    private void close() {
      if (stream != null) {
        stream.close();
      }
    }
  }
}
