package roll.env.dataset;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.dataset.DataSetReader;
import roll.api.dataset.Row;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.text.chat.RowDomain;
import roll.text.chat.RowMessages;

/**
 * The questions in the files that {@code env_config} names.
 *
 * @param options of {@code env_config}
 * @param sets reads the files
 */
record QuestionFiles(Options options, DataSetReader sets) {
  /** Name of the option with the files of training. */
  static final String TRAIN_FILES = "train_files";

  /** Name of the option with the files of validation. */
  static final String VAL_FILES = "val_files";

  /** Name of the option that drops long questions. */
  static final String FILTER = "filter_overlong_prompts";

  private static final Logger LOG = LoggerFactory.getLogger("roll.env.dataset");

  private static final Option<List<String>> TRAINING =
      Option.texts(TRAIN_FILES, "files with the questions of training").withDefault(List.of());
  private static final Option<List<String>> VALIDATION =
      Option.texts(VAL_FILES, "files with the questions of validation").withDefault(List.of());
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
  private static final Option<Boolean> FILTERED =
      Option.flag(
              FILTER,
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
          TRAINING,
          VALIDATION,
          ANSWER_FILES,
          PROMPT_KEY,
          IMAGE_KEY,
          IMAGE_MAX_PIXELS,
          SHUFFLE,
          MAX_SAMPLES,
          FILTERED,
          DOMAIN,
          DOMAIN_TAGS);

  /**
   * Returns the questions of training; null if there are no files.
   *
   * @throws UserException if a file cannot be read, or a row has no question
   */
  @Nullable Questions training() {
    return questions(TRAINING);
  }

  /**
   * Returns the questions of validation; null if there are none.
   *
   * @throws UserException if a file cannot be read, or a row has no question
   */
  @Nullable Questions validation() {
    return questions(VALIDATION);
  }

  /** Returns whether training shuffles the questions. */
  boolean shuffled() {
    return options.get(SHUFFLE);
  }

  /** Returns whether long questions are dropped. */
  boolean filtered() {
    return options.get(FILTERED);
  }

  private @Nullable Questions questions(Option<List<String>> option) {
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
        AnswerRows.joined(read(option), read(ANSWER_FILES)).stream()
            .filter(row -> domain == null || domain.has(row.fields()))
            .toList();
    unseen(option, rows);
    List<Row> kept = rows.stream().limit(most < 0 ? Long.MAX_VALUE : most).toList();
    List<Question> all = asked(kept, row -> Question.of(row, prompt, pictures));
    if (all.isEmpty() && domain != null && option.equals(VALIDATION)) {
      return null; // domains share these files
    }
    if (all.isEmpty()) {
      throw options.wrong(
          option,
          "files with at least one row" + (domain == null ? "" : " of domain " + domain.name()));
    }
    return new Questions(all);
  }

  private List<Row> read(Option<List<String>> option) {
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
  private void unseen(Option<?> option, List<Row> rows) {
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
}
