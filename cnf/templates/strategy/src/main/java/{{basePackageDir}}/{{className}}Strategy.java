package {{basePackageName}};

import java.util.List;
import org.osgi.service.component.annotations.Component;
import roll.api.option.Option;
import roll.api.option.UserException;
import roll.api.config.WorkerConfig;
import roll.api.model.DecoderSpec;
import roll.api.memory.SessionActivity;
import roll.api.memory.SessionMemory;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.RollStrategy;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TrainStrategy;
import roll.api.strategy.ValueSession;

/**
 * Trains and samples a model of its own, a {@link {{className}}Table}. The service is stateless;
 * what is loaded, computed and closed again is a session.
 */
@Component(name = "{{projectName}}", service = {TrainStrategy.class, InferStrategy.class})
@RollStrategy("{{projectName}}")
public final class {{className}}Strategy implements TrainStrategy, InferStrategy {
  /** The options in {@code strategy_config}: none. */
  @Override
  public List<Option<?>> options() {
    return List.of();
  }

  /** Refuses unknown options before anything is loaded, for both interfaces. */
  @Override
  public List<String> notices(WorkerConfig worker) {
    worker.strategyOptions().checked(options());
    return List.of();
  }

  @Override
  public {{className}}Table open(SessionConfig config) {
    return new {{className}}Table(
        {{className}}Table.vocabulary(config.worker().model().folder()),
        config.worker().training().learningRate(),
        config.maxGradNorm());
  }

  @Override
  public ValueSession openValues(SessionConfig config) {
    throw new UserException(
        config.worker().role() + ": strategy {{projectName}} has no value models");
  }

  /** Both interfaces have a default of this method, so one must be chosen. */
  @Override
  public List<SessionMemory> expected(
      SessionConfig config, DecoderSpec spec, SessionActivity activity) {
    return List.of();
  }
}
