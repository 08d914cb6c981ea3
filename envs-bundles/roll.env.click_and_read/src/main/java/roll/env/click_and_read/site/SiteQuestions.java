package roll.env.click_and_read.site;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import roll.api.data.RandomStreams;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.env.click_and_read.site.GeneratedSite.Shape;

/** The questions of a scenario, from a file or generated sites. */
public sealed interface SiteQuestions {
  /** Option: the folder of a site. */
  Option<String> SITE_PATH =
      Option.text("site_path", "folder of HTML files; without one sites are generated");

  /** The file of questions about the site. */
  Option<String> QUESTIONS_FILE = Option.text("questions_file", "questions about them");

  /** Option: number of generated sites. */
  Option<Integer> NUM_SITES =
      Option.integer(
              "num_sites",
              1,
              1_000_000,
              "number of generated sites; the seed selects one, and a question. With `val_share`"
                  + " validation has as many separate ones")
          .withDefault(256);

  /** Number of pages of a generated site. */
  Option<Integer> NUM_PAGES =
      Option.integer("num_pages", 2, 200, "pages of a generated site, `depth` + 1 to 200")
          .withDefault(12);

  /** Option: number of clicks to the answers. */
  Option<Integer> DEPTH =
      Option.integer(
              "depth",
              1,
              4,
              "clicks from its first page to every answer, 1 to 4, less than `max_steps`")
          .withDefault(2);

  /** Number of distracting facts and links. */
  Option<Integer> NUM_DISTRACTORS =
      Option.integer(
              "num_distractors",
              0,
              20,
              "facts of other places, and links to them, on each page with answers")
          .withDefault(2);

  /** Option: kinds of facts in questions. */
  Option<List<String>> ASKED =
      Option.texts(
              "asked",
              "kinds of facts in questions: opened, designed, built, visitors, closed,"
                  + " door; pages state all of them")
          .withDefault(List.copyOf(SiteWords.FACTS));

  /** Maximum characters of a page from which questions are made. */
  Option<Integer> PAGE_CHARS =
      Option.integer("page_chars", 200, 1_000_000, "maximum characters shown of a page")
          .withDefault(8000);

  /** The options of sites and questions. */
  List<Option<?>> OPTIONS =
      List.of(
          SITE_PATH,
          QUESTIONS_FILE,
          NUM_SITES,
          NUM_PAGES,
          DEPTH,
          NUM_DISTRACTORS,
          ASKED,
          PAGE_CHARS);

  /**
   * Returns the question of a seed.
   *
   * @param kept whether to use the sites reserved for validation, if sites are generated
   */
  SiteQuestion of(long seed, boolean kept);

  /**
   * Creates the questions of {@code options}.
   *
   * @param maxSteps maximum actions to answer any question
   * @throws UserException if an option or a file is invalid
   */
  static SiteQuestions of(Options options, SiteFolders folders, int maxSteps) {
    int most = options.get(PAGE_CHARS);
    if (options.has(SITE_PATH)) {
      Path folder = Path.of(options.get(SITE_PATH)).toAbsolutePath().normalize();
      Site site = folders.get(options.where() + "." + SITE_PATH.name(), folder, most);
      return new WrittenQuestions(QuestionFile.read(questions(options, folder), site, maxSteps));
    }
    if (options.has(QUESTIONS_FILE)) {
      throw new UserException(
          "%s.%s needs %s".formatted(options.where(), QUESTIONS_FILE.name(), SITE_PATH.name()));
    }
    int depth = options.get(DEPTH);
    if (depth >= maxSteps) {
      throw options.wrong(
          DEPTH, "less than max_steps (" + maxSteps + "), since the answer is an action too");
    }
    int pages = options.get(NUM_PAGES);
    if (pages <= depth) {
      throw options.wrong(NUM_PAGES, "an integer from " + (depth + 1) + " to 200");
    }
    Set<String> asked = Set.copyOf(options.get(ASKED));
    if (asked.isEmpty() || !SiteWords.FACTS.containsAll(asked)) {
      throw options.wrong(ASKED, "some of " + String.join(", ", SiteWords.FACTS));
    }
    Shape shape = new Shape(pages, depth, options.get(NUM_DISTRACTORS), asked);
    return new Generated(shape, options.get(NUM_SITES), most);
  }

  private static Path questions(Options options, Path folder) {
    if (options.has(QUESTIONS_FILE)) {
      Path file = Path.of(options.get(QUESTIONS_FILE));
      if (!Files.isRegularFile(file)) {
        throw options.wrong(QUESTIONS_FILE, "an existing file");
      }
      return file;
    }
    Path file = folder.resolve("questions.jsonl");
    if (!Files.isRegularFile(file)) {
      throw new UserException(
          "%s.%s: no file '%s': expected the questions there or in %s"
              .formatted(options.where(), SITE_PATH.name(), file, QUESTIONS_FILE.name()));
    }
    return file;
  }

  /**
   * The questions of a question file.
   *
   * @param tasks all of them
   */
  record WrittenQuestions(List<SiteQuestion> tasks) implements SiteQuestions {
    @Override
    public SiteQuestion of(long seed, boolean kept) {
      return one(tasks, random(seed));
    }
  }

  /**
   * The questions of generated sites, which are generated on first use and cached. Sites of
   * validation are numbered after all others.
   */
  final class Generated implements SiteQuestions {
    private final Shape shape;
    private final int count;
    private final int most;
    private final Map<Integer, List<SiteQuestion>> sites = new ConcurrentHashMap<>();

    /**
     * Creates the questions of generated sites.
     *
     * @param shape parameters of the sites
     * @param count number of sites
     * @param most maximum characters shown of a page
     */
    Generated(Shape shape, int count, int most) {
      this.shape = shape;
      this.count = count;
      this.most = most;
    }

    @Override
    public SiteQuestion of(long seed, boolean kept) {
      RandomGenerator random = random(seed);
      int number = random.nextInt(count) + (kept ? count : 0);
      return one(
          sites.computeIfAbsent(number, _ -> GeneratedSite.tasks(shape, number, most)), random);
    }
  }

  private static RandomGenerator random(long seed) {
    return RandomStreams.of(seed, "roll.env.click_and_read/task");
  }

  private static SiteQuestion one(List<SiteQuestion> tasks, RandomGenerator random) {
    return tasks.get(random.nextInt(tasks.size()));
  }
}
