package roll.env.dataset;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.dataset.DataSetReader;
import roll.api.dataset.Row;
import roll.api.env.Episode;
import roll.api.env.EpisodeStart;
import roll.api.env.Observation;
import roll.api.env.Scenario;
import roll.api.env.TaskInfo;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.text.chat.RowDomain;
import roll.text.chat.RowMessages;

/** The questions of training and validation. */
final class DatasetScenario implements Scenario {
  private static final Logger LOG = LoggerFactory.getLogger("roll.env.dataset");

  private static final Option<List<String>> TRAIN_FILES =
      Option.texts("train_files", "files with the questions of training").withDefault(List.of());
  private static final Option<List<String>> VAL_FILES =
      Option.texts("val_files", "files with the questions of validation").withDefault(List.of());
  private static final Option<List<String>> ANSWER_FILES =
      Option.texts("answer_files", "files with further fields of the rows of the same id")
          .withDefault(List.of());
  private static final Option<String> PROMPT_KEY =
      Option.text(
          "prompt_key",
          "field with the question, a text or chat messages; by default the first of "
              + String.join(", ", Question.KEYS));
  private static final Option<String> IMAGE_KEY =
      Option.text(
              "image_key",
              "field with the pictures of the question: paths, or mappings with path or bytes")
          .withDefault("images");
  private static final Option<Integer> IMAGE_MAX_PIXELS =
      Option.integer(
          "image_max_pixels",
          28 * 28,
          Integer.MAX_VALUE,
          "maximum area of a picture in pixels; larger ones are shrunk");
  private static final Option<Boolean> SHUFFLE =
      Option.flag("shuffle", "whether training shuffles the rows, in each epoch differently")
          .withDefault(true);
  private static final Option<Integer> MAX_SAMPLES =
      Option.integer(
              "max_samples",
              -1,
              Integer.MAX_VALUE,
              "maximum rows of the training and of the validation files; -1: all")
          .withDefault(-1);
  private static final Option<Boolean> FILTER =
      Option.flag(
              "filter_overlong_prompts",
              "whether questions whose prompt is too long are dropped; their number is logged")
          .withDefault(false);

  private static final Option<String> DOMAIN =
      Option.text(
          "domain",
          "only rows with this `domain`, or a `tag` or `data_source` of it, are asked; without all"
              + " they are of math_rule");
  private static final Option<Map<String, String>> DOMAIN_TAGS =
      Option.mapping("domain_tags", "domains by tag").withDefault(Map.of());

  /** Options of {@code env_config} for data sets. */
  static final List<Option<?>> OPTIONS =
      List.of(
          TRAIN_FILES,
          VAL_FILES,
          ANSWER_FILES,
          PROMPT_KEY,
          IMAGE_KEY,
          IMAGE_MAX_PIXELS,
          SHUFFLE,
          MAX_SAMPLES,
          FILTER,
          DOMAIN,
          DOMAIN_TAGS);

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
    Questions train = questions(options, TRAIN_FILES, sets);
    Questions validation = questions(options, VAL_FILES, sets);
    if (train == null && validation == null) {
      throw new UserException(missing(options.where()) + ": files with questions are required");
    }
    return new DatasetScenario(
        options.where(), train, validation, options.get(SHUFFLE), options.get(FILTER));
  }

  private static String missing(String where) {
    return where + "." + TRAIN_FILES.name() + " is missing";
  }

  private static @Nullable Questions questions(
      Options options, Option<List<String>> option, DataSetReader sets) {
    int most = options.get(MAX_SAMPLES);
    if (most == 0) {
      throw options.wrong(MAX_SAMPLES, "-1 (all) or an integer from 1");
    }
    if (options.get(option).isEmpty()) {
      return null;
    }
    String prompt = options.find(PROMPT_KEY).orElse(null);
    ImageField pictures =
        new ImageField(
            options.get(IMAGE_KEY), options.find(IMAGE_MAX_PIXELS).orElse(Integer.MAX_VALUE));
    RowDomain domain =
        options
            .find(DOMAIN)
            .map(name -> new RowDomain(name, options.get(DOMAIN_TAGS)))
            .orElse(null);
    List<Row> rows =
        AnswerRows.joined(read(options, option, sets), read(options, ANSWER_FILES, sets)).stream()
            .filter(row -> domain == null || domain.has(row.fields()))
            .toList();
    unseen(options, option, rows);
    List<Row> kept = rows.stream().limit(most < 0 ? Long.MAX_VALUE : most).toList();
    List<Question> all = asked(kept, row -> Question.of(row, prompt, pictures));
    if (all.isEmpty() && domain != null && option.equals(VAL_FILES)) {
      return null; // domains share these files
    }
    if (all.isEmpty()) {
      throw options.wrong(
          option,
          "files with at least one row" + (domain == null ? "" : " of domain " + domain.name()));
    }
    return new Questions(all);
  }

  private static List<Row> read(Options options, Option<List<String>> option, DataSetReader sets) {
    List<Path> files = options.get(option).stream().map(Path::of).toList();
    return files.isEmpty() ? List.of() : sets.read(options.where() + "." + option.name(), files);
  }

  /**
   * Reads each row as a question.
   *
   * @throws UserException for the first that is none, with the number of others
   */
  private static List<Question> asked(List<Row> rows, Function<Row, Question> read) {
    List<Question> all = new ArrayList<>();
    UserException first = null;
    int bad = 0;
    for (Row row : rows) {
      try {
        all.add(read.apply(row));
      } catch (UserException e) {
        first = first == null ? e : first;
        bad++;
      }
    }
    if (first == null) {
      return all;
    }
    throw bad == 1
        ? first
        : new UserException("%s (and %d more)".formatted(first.getMessage(), bad - 1), first);
  }

  /** Warns about pictures in fields that are not shown. */
  private static void unseen(Options options, Option<?> option, List<Row> rows) {
    String shown = options.get(IMAGE_KEY);
    rows.stream()
        .flatMap(row -> RowMessages.pictures(row.fields()).stream())
        .filter(field -> !field.equals(shown))
        .findFirst()
        .ifPresent(
            field ->
                LOG.warn(
                    "{}.{}: the pictures in '{}' are not shown: {} is '{}'",
                    options.where(),
                    option.name(),
                    field,
                    IMAGE_KEY.name(),
                    shown));
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
          TRAIN_FILES.name(),
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
            fitting(TRAIN_FILES, train, tokens, most),
            fitting(VAL_FILES, validation, tokens, most),
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
      Option<?> option,
      @Nullable Questions questions,
      ToIntFunction<Observation> tokens,
      int most) {
    if (questions == null) {
      return null;
    }
    Questions kept = questions.keeping(question -> length(question, tokens) <= most);
    if (kept.size() == 0) {
      throw new UserException(
          "%s.%s: all %d prompts are longer than %d tokens (%s)"
              .formatted(where, option.name(), questions.size(), most, FILTER.name()));
    }
    if (kept.size() < questions.size()) {
      LOG.info(
          "{}.{}: {} of {} prompts are longer than {} tokens and dropped",
          where,
          option.name(),
          questions.size() - kept.size(),
          questions.size(),
          most);
    }
    return kept;
  }
}
