package roll.core.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.SynchronousBundleListener;
import org.osgi.service.component.ComponentContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import roll.api.model.TokenizerLoader;
import roll.api.plugin.Plugins;
import roll.core.check.RunChecks;
import roll.core.check.SftChecks;
import roll.core.checkpoint.StartCheck;
import roll.core.output.OutputFolder;
import roll.core.output.RunFoldersCheck;
import roll.core.output.RunLog;
import roll.core.plugin.ModelSupport;
import roll.core.report.RunProgress;
import roll.core.swap.ConfigSwapper;
import roll.core.swap.RunControl;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.MemoryPlan;
import roll.runtime.pipeline.Rollouts;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;

/**
 * Starts training runs, and ends them gracefully when the framework is stopped. Runs outlive the
 * commands that start them: from the first run on the trainer references its own service, as an
 * unused component would be deactivated.
 */
@Component(name = "roll.core")
public final class CoreTrainer implements Trainer {
  private static final int ENDED_RUNS_KEPT = 20;

  private final ComponentContext component;
  private final Plugins plugins;
  private final Rollouts rollouts;
  private final ModelSupport models;
  private final ConfigLoader loader;
  private final List<TrainingRun> runs = new ArrayList<>();
  private final SynchronousBundleListener shutdown = this::changed;
  private final AtomicBoolean staying = new AtomicBoolean();
  private int started;

  /** Creates the trainer; without a reader of models it can check runs, not train. */
  @Activate
  public CoreTrainer(
      ComponentContext component,
      @Reference Plugins plugins,
      @Reference Rollouts rollouts,
      @Reference ModelSupport models,
      @Reference ConfigLoader loader) {
    this.component = component;
    this.plugins = plugins;
    this.rollouts = rollouts;
    this.models = models;
    this.loader = loader;
    component.getBundleContext().addBundleListener(shutdown);
  }

  /**
   * Reacts to the framework's stop, of which it is notified before the first bundle stops: runs
   * still have all services.
   */
  private void changed(BundleEvent event) {
    if (event.getType() == BundleEvent.STOPPING && event.getBundle().getBundleId() == 0) {
      end();
    }
  }

  @Deactivate
  void deactivate() {
    component.getBundleContext().removeBundleListener(shutdown);
    end();
  }

  /** Asks every run to save and stop, and waits until all have. */
  private void end() {
    List<TrainingRun> all = runs();
    all.forEach(TrainingRun::stop);
    all.forEach(run -> run.outcome().handle((outcome, failure) -> true).join());
  }

  @Override
  public List<String> check(LoadedConfig config) {
    return checked(config).notices();
  }

  private RunChecks.Checked checked(LoadedConfig config) {
    return config.onlySft()
        ? new RunChecks.Checked(SftChecks.check(config, plugins, models), null)
        : new RunChecks(plugins, rollouts, models).run(config);
  }

  @Override
  public List<String> checkStart(LoadedConfig config) {
    RunChecks.Checked checked = checked(config);
    List<String> place = StartCheck.look(config.run(), checked.plan());
    return Stream.concat(checked.notices().stream(), place.stream()).toList();
  }

  @Override
  public void requireStart(LoadedConfig config) {
    requireModels();
    var unused = checked(config);
    OutputFolder.requireFree(
        config.run().outputDir(), config.run().schedule().checkpoints().resume());
    RunFoldersCheck.require(config.run());
  }

  private TokenizerLoader requireModels() {
    var unused = models.requireSpecs("train");
    return models.requireTokenizers("train");
  }

  @Override
  public TrainingRun start(LoadedConfig config) {
    TokenizerLoader tokenizers = requireModels();
    RunChecks.Checked checked = checked(config);
    MemoryPlan plan = Objects.requireNonNull(checked.plan(), "a plan");
    var run = config.run();
    RunFoldersCheck.require(run);
    OutputFolder folder = OutputFolder.take(run.outputDir(), run.schedule().checkpoints().resume());
    List<String> notices =
        Stream.concat(checked.notices().stream(), folder.notices().stream()).toList();
    RunLog log = RunLog.later(folder.path(), run);
    if (plan.refusal() != null) {
      log.line("expected: " + plan.refusal());
    }
    RunControl control = new RunControl(config);
    RunProgress progress = new RunProgress(run.schedule().maxSteps());
    Pipeline pipeline =
        new Pipeline(config, plugins, rollouts, tokenizers, plan, log, control, progress, folder);
    ConfigSwapper swapper = new ConfigSwapper(loader, plugins, this::check);
    CoreTrainingRun started =
        new CoreTrainingRun(
            number(), run.expName(), folder, log, control, progress, swapper, notices);
    stay();
    add(started);
    started.start("roll-run-" + started.number(), pipeline::perform);
    return started;
  }

  private void stay() {
    if (!staying.getAndSet(true)) {
      var unused = component.getBundleContext().getService(component.getServiceReference());
    }
  }

  private synchronized int number() {
    return ++started;
  }

  private synchronized void add(TrainingRun run) {
    runs.add(run);
    long ended = runs.stream().filter(r -> !r.status().state().active()).count();
    for (int i = 0; ended > ENDED_RUNS_KEPT; ended--) {
      while (runs.get(i).status().state().active()) {
        i++;
      }
      runs.remove(i);
    }
  }

  @Override
  public synchronized List<TrainingRun> runs() {
    return List.copyOf(runs);
  }
}
