package roll.core;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.config.LoadedConfig;
import roll.api.model.TokenizerLoader;
import roll.api.pipeline.Rollouts;
import roll.api.pipeline.Trainer;
import roll.api.pipeline.TrainingRun;

/** Starts training runs. */
@Component(name = "roll.core")
public final class CoreTrainer implements Trainer {
  private final Slots slots;
  private final Rollouts rollouts;
  private final TokenizerLoader tokenizers;

  /** The trainer of this framework. */
  @Activate
  public CoreTrainer(
      BundleContext context, @Reference Rollouts rollouts, @Reference TokenizerLoader tokenizers) {
    this.slots = new Slots(context);
    this.rollouts = rollouts;
    this.tokenizers = tokenizers;
  }

  @Override
  public List<String> check(LoadedConfig config) {
    return new Checks(slots, rollouts, tokenizers).run(config);
  }

  @Override
  public TrainingRun start(LoadedConfig config) {
    List<String> notices = check(config);
    var schedule = config.run().schedule();
    OutputFolder folder = OutputFolder.take(config.run().outputDir(), schedule.resume());
    RunLog log = new RunLog(folder.path());
    AtomicBoolean stop = new AtomicBoolean();
    Pipeline pipeline = new Pipeline(config, slots, rollouts, tokenizers, log, stop);
    return Run.start(folder, log, stop, notices, pipeline);
  }
}
