package roll.core;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import roll.api.config.RunConfig;
import roll.api.config.UserException;
import roll.api.config.WorkerConfig;
import roll.api.loss.PolicyLoss;
import roll.api.model.Tokenizer;
import roll.api.pipeline.Rollouts;
import roll.api.strategy.Generator;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TrainSession;
import roll.api.strategy.TrainStrategy;
import roll.api.strategy.ValueSession;
import roll.api.worker.WorkerContext;

/**
 * What the core gives one role.
 *
 * @param run the whole configuration
 * @param worker the role's own part
 * @param slots where strategies are found
 * @param currentLoss the loss leased for the step
 * @param tokenizer of the role's model
 * @param policy who writes the responses
 * @param rollouts who plays episodes
 */
record RoleContext(
    RunConfig run,
    WorkerConfig worker,
    Slots slots,
    AtomicReference<@Nullable PolicyLoss> currentLoss,
    Tokenizer tokenizer,
    Generator policy,
    Rollouts rollouts)
    implements WorkerContext {

  @Override
  public TrainSession openTraining(SessionConfig config) {
    return open(TrainStrategy.class, strategy -> strategy.open(config));
  }

  @Override
  public ValueSession openValues(SessionConfig config) {
    return open(TrainStrategy.class, strategy -> strategy.openValues(config));
  }

  @Override
  public InferSession openInference(SessionConfig config) {
    return open(InferStrategy.class, strategy -> strategy.open(config));
  }

  private <S, T> T open(Class<S> type, Function<S, T> opening) {
    String where = worker.role() + ".strategy_args.strategy_name";
    slots.require(where, type, "roll.strategy", worker.strategy());
    try (Slot<S> slot = slots.open(type, "roll.strategy", worker.strategy());
        Slot.Lease<S> lease = slot.lease(() -> true, notice -> {})) {
      if (lease == null) {
        throw new UserException(where + ": strategy '" + worker.strategy() + "' just went away");
      }
      return opening.apply(lease.service());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while opening " + worker.role(), e);
    }
  }

  @Override
  public PolicyLoss loss() {
    PolicyLoss loss = currentLoss.get();
    if (loss == null) {
      throw new IllegalStateException("no loss is leased outside a step");
    }
    return loss;
  }
}
