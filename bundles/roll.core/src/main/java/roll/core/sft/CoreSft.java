package roll.core.sft;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import roll.api.config.WorkerConfig;
import roll.api.dataset.DataSetReader;
import roll.api.model.ChatTemplate;
import roll.api.model.ChatTemplates;
import roll.api.model.Tokenizer;
import roll.api.model.TokenizerLoader;
import roll.api.option.UserException;
import roll.api.plugin.Plugins;
import roll.core.check.LearningNotices;
import roll.core.check.SftChecks;
import roll.core.output.OutputFolder;
import roll.core.output.RunFoldersCheck;
import roll.core.output.RunLog;
import roll.core.plugin.ModelSupport;
import roll.decoder.ModelSpecs;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.LoadedSft;
import roll.runtime.config.RunConfig;
import roll.runtime.config.SftConfig;
import roll.runtime.pipeline.Rollouts;
import roll.runtime.pipeline.SftRun;
import roll.runtime.pipeline.SftRunner;

/** Starts supervised training, and ends them gracefully when the component is deactivated. */
@Component(name = "roll.core.sft")
public final class CoreSft implements SftRunner {
  /** The fixed date for chat templates, so that a run does not depend on the current day. */
  private static final Clock DAY =
      Clock.fixed(Instant.parse("2024-07-26T12:00:00Z"), ZoneOffset.UTC);

  private final ConfigLoader loader;
  private final Plugins plugins;
  private final Rollouts rollouts;
  private final @Nullable DataSetReader sets;
  private final @Nullable ChatTemplates templates;
  private final ModelSupport models;
  private final List<SftRun> runs = new CopyOnWriteArrayList<>();

  /** The warm starts of this framework; without readers of models and data sets there are none. */
  @Activate
  public CoreSft(
      @Reference ConfigLoader loader,
      @Reference Plugins plugins,
      @Reference Rollouts rollouts,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable DataSetReader sets,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable ChatTemplates templates,
      @Reference ModelSupport models) {
    this.loader = loader;
    this.plugins = plugins;
    this.rollouts = rollouts;
    this.sets = sets;
    this.templates = templates;
    this.models = models;
  }

  @Deactivate
  void deactivate() {
    runs.forEach(SftRun::stop);
    runs.forEach(run -> run.outcome().handle((outcome, failure) -> true).join());
  }

  @Override
  public SftRun start(Path file, List<String> overrides) {
    return start(file, overrides, false);
  }

  @Override
  public SftRun startPreferences(Path file, List<String> overrides) {
    return start(file, overrides, true);
  }

  private SftRun start(Path file, List<String> overrides, boolean preferences) {
    TokenizerLoader tokenizers = models.requireTokenizers("sft");
    DataSetReader files = sets;
    if (files == null) {
      throw lacking("roll.dataset", "reads demonstrations");
    }
    ModelSpecs specs = models.requireSpecs("sft");
    LoadedSft asked = loader.loadForSft(file, overrides);
    if (preferences && asked.sft().preference() == null) {
      throw new UserException(
          file + ": preference is missing: it names pairs (preference: {train_files: …})");
    }
    List<String> notices = new ArrayList<>(asked.config().notices());
    notices.addAll(SftChecks.run(asked.config(), plugins, specs, tokenizers));
    for (String absent : SftChecks.absent(asked.sft())) {
      throw new UserException(absent);
    }
    WorkerConfig model = asked.config().run().roles().actorTrain();
    TaskReader reader = new TaskReader(asked, files, plugins);
    SupervisedTask task;
    try (Tokenizer tokenizer = tokenizers.load(model.model().folder())) {
      task = reader.read(tokenizer, template(model));
    }
    notices.addAll(reader.notices());
    List<String> complete = new ArrayList<>(overrides);
    complete.add("max_steps=" + steps(asked.sft(), task.train()));
    return begin(loader.loadForSft(file, complete), task, notices, tokenizers);
  }

  private SftRun begin(
      LoadedSft loaded, SupervisedTask task, List<String> notices, TokenizerLoader tokenizers) {
    RunConfig run = loaded.config().run();
    RunFoldersCheck.require(run);
    OutputFolder folder = OutputFolder.take(run.outputDir(), run.schedule().checkpoints().resume());
    notices.addAll(folder.notices());
    notices.addAll(LearningNotices.ofSft(run));
    notices.add(
        "%d steps of %d %s, %d steps an epoch"
            .formatted(
                run.schedule().maxSteps(),
                run.roles().actorTrain().training().effectiveBatch(),
                task.rows(),
                task.train().stepsOfAnEpoch()));
    RunLog log = RunLog.later(folder.path(), run);
    AtomicBoolean stop = new AtomicBoolean();
    SftJob job = new SftJob(folder, log, notices, stop);
    runs.add(job);
    SftPipeline pipeline =
        new SftPipeline(loaded.config(), task, plugins, rollouts, tokenizers, log, stop, folder);
    job.start("roll-sft", pipeline::perform);
    var unused = job.outcome().whenComplete((outcome, failure) -> runs.remove(job));
    return job;
  }

  /** Returns the chat template of the model folder, or ChatML if that is configured. */
  private ChatTemplate template(WorkerConfig worker) {
    if (!worker.template().equals("native")) {
      return ChatMlTemplate.of(worker.template());
    }
    if (templates == null) {
      throw lacking("roll.template", "renders conversations (data_args.template: native)");
    }
    return templates.load(worker.model().folder(), DAY);
  }

  private static UserException lacking(String bundle, String does) {
    return new UserException(
        "sft: this distribution lacks the bundle " + bundle + ", which " + does);
  }

  /** Returns the number of steps: the smaller of {@code max_steps} and the epochs. */
  private static int steps(SftConfig sft, SftData<?> data) {
    long epochs = (long) sft.epochs() * data.stepsOfAnEpoch();
    long most = sft.maxSteps() == 0 ? epochs : sft.maxSteps();
    return (int) Math.min(Integer.MAX_VALUE, sft.epochs() == 0 ? most : Math.min(epochs, most));
  }
}
