package roll.env.dataset;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.dataset.DataSetReader;
import roll.api.env.Episode;
import roll.api.env.EpisodeStart;
import roll.api.env.Observation;
import roll.api.env.Scenario;
import roll.api.env.TaskInfo;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;

/** The questions of training and validation. */
final class DatasetScenario implements Scenario {
  /** Options of {@code env_config} for data sets. */
  static final List<Option<?>> OPTIONS = QuestionFiles.OPTIONS;

  private static final Logger LOG = LoggerFactory.getLogger("roll.env.dataset");

  private final String where;
  private final @Nullable Questions train;
  private final @Nullable Questions validation;
  private final boolean shuffle;
  private final boolean filtering;
  private final AtomicInteger told = new AtomicInteger();

  private DatasetScenario(
      String where,
      @Nullable Questions train,
      @Nullable Questions validation,
      boolean shuffle,
      boolean filtering) {
    this.where = where;
    this.train = train;
    this.validation = validation;
    this.shuffle = shuffle;
    this.filtering = filtering;
  }

  /**
   * Reads the data set files of {@code options}.
   *
   * @throws UserException if there are none, or a row has no question
   */
  static DatasetScenario of(Options options, DataSetReader sets) {
    QuestionFiles files = new QuestionFiles(options, sets);
    Questions train = files.training();
    Questions validation = files.validation();
    if (train == null && validation == null) {
      throw new UserException(missing(options.where()) + ": files with questions are required");
    }
    return new DatasetScenario(
        options.where(), train, validation, files.shuffled(), files.filtered());
  }

  private static String missing(String where) {
    return where + "." + QuestionFiles.TRAIN_FILES + " is missing";
  }

  /** Returns an empty text: each row has its full prompt. */
  @Override
  public String instruction() {
    return "";
  }

  @Override
  public Episode reset(long seed) {
    Questions questions = train == null ? validation : train;
    return new QuestionEpisode(Objects.requireNonNull(questions).any(seed));
  }

  @Override
  public Episode reset(EpisodeStart start) {
    Questions trained = train;
    if (start.purpose().equals("val")) {
      Questions validated = validation == null ? trained : validation;
      return new QuestionEpisode(Objects.requireNonNull(validated).inOrder(start.position()));
    }
    if (trained == null) {
      throw new UserException(missing(where) + ": training needs files");
    }
    if (trained.size() < start.groups() && told.getAndIncrement() == 0) {
      LOG.warn(
          "{}.{}: {} rows for {} groups of a step: rows repeat within a step",
          where,
          QuestionFiles.TRAIN_FILES,
          trained.size(),
          start.groups());
    }
    return new QuestionEpisode(trained.trained(start, shuffle));
  }

  @Override
  public Stream<TaskInfo> tasks() {
    return Stream.of(train, validation)
        .filter(Objects::nonNull)
        .flatMap(questions -> questions.all().stream())
        .map(Question::row)
        .map(row -> new TaskInfo(row.where(), row.fields()));
  }

  @Override
  public Scenario fitting(ToIntFunction<String> tokens, int most) {
    return fittingSeen(seen -> tokens.applyAsInt(seen.text()), most);
  }

  @Override
  public Scenario fittingSeen(ToIntFunction<Observation> tokens, int most) {
    return filtering
        ? new DatasetScenario(
            where,
            fitting(QuestionFiles.TRAIN_FILES, train, tokens, most),
            fitting(QuestionFiles.VAL_FILES, validation, tokens, most),
            shuffle,
            false)
        : this;
  }

  private static int length(Question question, ToIntFunction<Observation> tokens) {
    Observation seen = question.observation();
    try {
      return tokens.applyAsInt(seen);
    } catch (UserException e) {
      throw seen.pictures().isEmpty()
          ? e
          : new UserException(question.row().where() + ": " + e.getMessage(), e);
    }
  }

  private @Nullable Questions fitting(
      String option, @Nullable Questions questions, ToIntFunction<Observation> tokens, int most) {
    if (questions == null) {
      return null;
    }
    Questions kept = questions.keeping(question -> length(question, tokens) <= most);
    if (kept.size() == 0) {
      throw new UserException(
          "%s.%s: all %d prompts are longer than %d tokens (%s)"
              .formatted(where, option, questions.size(), most, QuestionFiles.FILTER));
    }
    if (kept.size() < questions.size()) {
      LOG.info(
          "{}.{}: {} of {} prompts are longer than {} tokens and dropped",
          where,
          option,
          questions.size() - kept.size(),
          questions.size(),
          most);
    }
    return kept;
  }
}
