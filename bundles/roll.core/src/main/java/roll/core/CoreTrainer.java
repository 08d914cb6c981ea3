package roll.core;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import roll.api.config.LoadedConfig;
import roll.api.model.ModelSpecs;
import roll.api.model.TokenizerLoader;
import roll.api.pipeline.Plan;
import roll.api.pipeline.Rollouts;
import roll.api.pipeline.Trainer;
import roll.api.pipeline.TrainingRun;

/** Starts training runs. */
@Component(name = "roll.core")
public final class CoreTrainer implements Trainer {
  private final Slots slots;
  private final Rollouts rollouts;
  private final @Nullable TokenizerLoader tokenizers;
  private final @Nullable ModelSpecs models;

  /** The trainer of this framework; where nothing reads models it can check, not train. */
  @Activate
  public CoreTrainer(
      BundleContext context,
      @Reference Rollouts rollouts,
      @Reference(
              cardinality = ReferenceCardinality.OPTIONAL,
              policyOption = ReferencePolicyOption.GREEDY)
          @Nullable TokenizerLoader tokenizers,
      @Reference(
              cardinality = ReferenceCardinality.OPTIONAL,
              policyOption = ReferencePolicyOption.GREEDY)
          @Nullable ModelSpecs models) {
    this.slots = new Slots(context);
    this.rollouts = rollouts;
    this.tokenizers = tokenizers;
    this.models = models;
  }

  @Override
  public List<String> check(LoadedConfig config) {
    return new Checks(slots, rollouts, tokenizers).run(config);
  }

  @Override
  public TrainingRun start(LoadedConfig config) {
    if (tokenizers == null || models == null) {
      throw NoModels.complaint("train");
    }
    List<String> notices = check(config);
    Plan plan = CorePlanner.plan(config.run(), new Strategies(slots), models);
    var schedule = config.run().schedule();
    OutputFolder folder = OutputFolder.take(config.run().outputDir(), schedule.resume());
    RunLog log = new RunLog(folder.path());
    if (plan.refusal() != null) {
      log.line("expected: " + plan.refusal());
    }
    AtomicBoolean stop = new AtomicBoolean();
    Pipeline pipeline = new Pipeline(config, slots, rollouts, tokenizers, plan, log, stop);
    return Run.start(folder, log, stop, notices, pipeline);
  }
}
