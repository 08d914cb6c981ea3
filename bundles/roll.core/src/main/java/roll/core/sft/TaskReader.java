package roll.core.sft;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import roll.api.dataset.DataSetReader;
import roll.api.model.ChatTemplate;
import roll.api.model.Tokenizer;
import roll.api.option.UserException;
import roll.api.plugin.Plugins;
import roll.api.preference.PreferenceInfo.Need;
import roll.core.plugin.BoundObjective;
import roll.runtime.config.LoadedSft;
import roll.runtime.config.PreferenceConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.config.SftConfig;

/** Reads the files of supervised training, for the task of its steps. */
final class TaskReader {
  private final RunConfig run;
  private final SftConfig sft;
  private final DataSetReader files;
  private final Plugins plugins;
  private final List<String> notices = new ArrayList<>();

  /** Creates the reader of the files that {@code asked} names. */
  TaskReader(LoadedSft asked, DataSetReader files, Plugins plugins) {
    this.run = asked.config().run();
    this.sft = asked.sft();
    this.files = files;
    this.plugins = plugins;
  }

  /** Returns notices on what was read. */
  List<String> notices() {
    return List.copyOf(notices);
  }

  /** Reads all files with the tokenizer and the template of the model. */
  SupervisedTask read(Tokenizer tokenizer, ChatTemplate template) {
    ChatDemonstrations chats =
        new ChatDemonstrations(template, run.roles().actorTrain().chatTemplateKwargs(), tokenizer);
    EpisodeDemonstrations episodes = new EpisodeDemonstrations(tokenizer, sft.minScore());
    PreferenceConfig preference = sft.preference();
    return preference == null
        ? demonstrations(chats, episodes)
        : preferences(new BoundObjective(plugins, preference), chats, episodes);
  }

  private SupervisedTask demonstrations(ChatDemonstrations chats, EpisodeDemonstrations episodes) {
    Demonstrations reader = new Demonstrations(files, sft, run.sequenceLength(), chats, episodes);
    SupervisedTask task = new DemonstrationTask(run, data(reader::read), validation(reader::read));
    notices.addAll(reader.notices());
    return task;
  }

  private SupervisedTask preferences(
      BoundObjective objective, ChatDemonstrations chats, EpisodeDemonstrations episodes) {
    Set<Need> needs = objective.needs();
    Preferences reader = new Preferences(files, sft, run.sequenceLength(), needs, chats, episodes);
    SupervisedTask task =
        new PreferenceTask(run, objective, needs, data(reader::read), validation(reader::read));
    notices.addAll(reader.notices());
    return task;
  }

  private <T> SftData<T> data(BiFunction<String, List<Path>, List<T>> reader) {
    List<T> all = reader.apply("train_files", sft.trainFiles());
    int size = run.roles().actorTrain().training().effectiveBatch();
    if (sft.dropLast() && all.size() < size) {
      throw new UserException(
          "%s.train_files: %d rows, and with drop_last a step has %d"
              .formatted(sft.section(), all.size(), size));
    }
    return new SftData<>(all, size, sft.shuffle(), sft.dropLast(), run.seed());
  }

  private <T> List<T> validation(BiFunction<String, List<Path>, List<T>> reader) {
    return sft.valFiles().isEmpty() ? List.of() : reader.apply("val_files", sft.valFiles());
  }
}
