package roll.env.click_and_read.site;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import roll.api.data.RandomStreams;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.env.click_and_read.site.GeneratedSite.Shape;

/** The questions a scenario may ask: those of a file, or of generated sites. */
public sealed interface SiteQuestions {
  /** The option that names the file of the questions. */
  String QUESTIONS = "questions_file";

  /** The task of a seed. */
  SiteQuestion of(long seed);

  /**
   * What {@code options} ask for.
   *
   * @param maxSteps actions within which every question is answerable
   * @throws UserException if an option or a file it names is wrong
   */
  static SiteQuestions of(Options options, SiteFolders folders, int maxSteps) {
    int most = options.integer("page_chars", 200, 1_000_000);
    if (options.has("site_path")) {
      Path folder = Path.of(options.text("site_path")).toAbsolutePath().normalize();
      Site site = folders.get(options.where() + ".site_path", folder, most);
      return new Written(QuestionFile.read(questions(options, folder), site, maxSteps));
    }
    if (options.has(QUESTIONS)) {
      throw new UserException(options.where() + "." + QUESTIONS + " needs site_path");
    }
    int depth = options.integer("depth", 1, 4);
    if (depth >= maxSteps) {
      throw options.wrong(
          "depth", "less than max_steps (" + maxSteps + "), for the answer is an action too");
    }
    Shape shape =
        new Shape(
            options.integer("num_pages", depth + 1, 200),
            depth,
            options.integer("num_distractors", 0, 20));
    return new Generated(shape, options.integer("num_sites", 1, 1_000_000), most);
  }

  private static Path questions(Options options, Path folder) {
    if (options.has(QUESTIONS)) {
      Path file = Path.of(options.text(QUESTIONS));
      if (!Files.isRegularFile(file)) {
        throw options.wrong(QUESTIONS, "a file that is there");
      }
      return file;
    }
    Path file = folder.resolve("questions.jsonl");
    if (!Files.isRegularFile(file)) {
      throw new UserException(
          "%s.site_path: no file '%s': expected the questions there, or where %s says"
              .formatted(options.where(), file, QUESTIONS));
    }
    return file;
  }

  /**
   * The questions of a file.
   *
   * @param tasks all of them
   */
  record Written(List<SiteQuestion> tasks) implements SiteQuestions {
    @Override
    public SiteQuestion of(long seed) {
      return one(tasks, random(seed));
    }
  }

  /** Sites made when they are first needed, and kept. */
  final class Generated implements SiteQuestions {
    private final Shape shape;
    private final int count;
    private final int most;
    private final Map<Integer, List<SiteQuestion>> sites = new ConcurrentHashMap<>();

    /**
     * Generated sites.
     *
     * @param shape what they are like
     * @param count how many there are
     * @param most characters shown of a page
     */
    Generated(Shape shape, int count, int most) {
      this.shape = shape;
      this.count = count;
      this.most = most;
    }

    @Override
    public SiteQuestion of(long seed) {
      RandomGenerator random = random(seed);
      int number = random.nextInt(count);
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
