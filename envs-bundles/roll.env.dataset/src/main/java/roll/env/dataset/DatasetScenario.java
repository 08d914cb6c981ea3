package roll.env.dataset;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.dataset.DataSets;
import roll.api.env.Episode;
import roll.api.env.KnownTask;
import roll.api.env.Scenario;
import roll.api.env.Start;
import roll.api.option.Options;
import roll.api.option.UserException;

/** The questions that are trained on and validated with. */
final class DatasetScenario implements Scenario {
  private static final Logger LOG = LoggerFactory.getLogger("roll.env.dataset");

  private final String where;
  private final String instruction;
  private final @Nullable Questions train;
  private final @Nullable Questions validation;
  private final boolean shuffle;
  private final boolean filtering;
  private final AtomicInteger told = new AtomicInteger();

  private DatasetScenario(
      String where,
      String instruction,
      @Nullable Questions train,
      @Nullable Questions validation,
      boolean shuffle,
      boolean filtering) {
    this.where = where;
    this.instruction = instruction;
    this.train = train;
    this.validation = validation;
    this.shuffle = shuffle;
    this.filtering = filtering;
  }

  /**
   * The questions of the files that {@code options} name.
   *
   * @throws UserException if there are none, or a row has no question
   */
  static DatasetScenario of(Options options, DataSets sets) {
    Questions train = questions(options, "train_files", sets);
    Questions validation = questions(options, "val_files", sets);
    if (train == null && validation == null) {
      throw new UserException(
          options.where() + ".train_files is missing: it names the files of the questions");
    }
    Set<String> systems =
        Stream.of(train, validation)
            .filter(Objects::nonNull)
            .flatMap(questions -> questions.all().stream())
            .map(Question::system)
            .collect(Collectors.toSet());
    boolean common = systems.size() == 1;
    return new DatasetScenario(
        options.where(),
        common ? systems.iterator().next() : "",
        common ? train : told(train),
        common ? validation : told(validation),
        options.flag("shuffle"),
        options.flag("filter_overlong_prompts"));
  }

  private static @Nullable Questions told(@Nullable Questions questions) {
    return questions == null
        ? null
        : new Questions(questions.all().stream().map(Question::told).toList());
  }

  private static @Nullable Questions questions(Options options, String key, DataSets sets) {
    List<Path> files = options.texts(key).stream().map(Path::of).toList();
    int most = options.integer("max_samples", -1, Integer.MAX_VALUE);
    if (most == 0) {
      throw options.wrong("max_samples", "-1 (all) or a whole number from 1");
    }
    if (files.isEmpty()) {
      return null;
    }
    String prompt = options.has("prompt_key") ? options.text("prompt_key") : null;
    List<Question> all =
        sets.read(options.where() + "." + key, files).stream()
            .limit(most < 0 ? Long.MAX_VALUE : most)
            .map(row -> Question.of(row, prompt))
            .toList();
    if (all.isEmpty()) {
      throw options.wrong(key, "files with at least one row");
    }
    return new Questions(all);
  }

  @Override
  public String instruction() {
    return instruction;
  }

  @Override
  public Episode reset(long seed) {
    Questions questions = train == null ? validation : train;
    return new QuestionEpisode(Objects.requireNonNull(questions).any(seed));
  }

  @Override
  public Episode reset(Start start) {
    Questions trained = train;
    if (start.purpose().equals("val")) {
      Questions validated = validation == null ? trained : validation;
      return new QuestionEpisode(Objects.requireNonNull(validated).inOrder(start.position()));
    }
    if (trained == null) {
      throw new UserException(where + ".train_files is missing: it names what is trained on");
    }
    if (trained.size() < start.groups() && told.getAndIncrement() == 0) {
      LOG.warn(
          "{}.train_files: {} rows for {} groups of a step: rows come several times in a step",
          where,
          trained.size(),
          start.groups());
    }
    return new QuestionEpisode(trained.trained(start, shuffle));
  }

  @Override
  public Stream<KnownTask> tasks() {
    return Stream.of(train, validation)
        .filter(Objects::nonNull)
        .flatMap(questions -> questions.all().stream())
        .map(Question::row)
        .map(row -> new KnownTask(row.where(), row.fields()));
  }

  @Override
  public Scenario fitting(ToIntFunction<String> tokens, int most) {
    return filtering
        ? new DatasetScenario(
            where,
            instruction,
            fitting("train_files", train, tokens, most),
            fitting("val_files", validation, tokens, most),
            shuffle,
            false)
        : this;
  }

  private @Nullable Questions fitting(
      String key, @Nullable Questions questions, ToIntFunction<String> tokens, int most) {
    if (questions == null) {
      return null;
    }
    Questions kept = questions.keeping(question -> tokens.applyAsInt(question.text()) <= most);
    if (kept.size() == 0) {
      throw new UserException(
          "%s.%s: all %d prompts are longer than %d tokens (filter_overlong_prompts)"
              .formatted(where, key, questions.size(), most));
    }
    if (kept.size() < questions.size()) {
      LOG.info(
          "{}.{}: {} of {} prompts are longer than {} tokens and left out",
          where,
          key,
          questions.size() - kept.size(),
          questions.size(),
          most);
    }
    return kept;
  }

  @Override
  public Map<String, Aggregation> aggregations() {
    return Map.of();
  }
}
