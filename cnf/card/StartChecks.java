import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whether the card is found, and computes what the cores do. */
class StartChecks {
  private static final List<String> TESTS = List.of("roll.torch.model.CardTest");

  /** A count of skipped tests by {@code ./dev} or JUnit's console. */
  private static final Pattern SKIPPED =
      Pattern.compile("Skipped: [1-9]\\d*|[1-9]\\d* tests (skipped|aborted)");

  private StartChecks() {}

  static List<CardCheck> all(CardSetup setup) {
    return List.of(
        new CardCheck("devices", 900, true, programs -> devices(setup, programs)),
        new CardCheck("tests", 150, false, programs -> tests(setup, programs)));
  }

  /** Lists the devices; where the JNI library is missing, compiles it: no check runs without. */
  private static String devices(CardSetup setup, Programs programs) throws Exception {
    Programs.Program first = programs.roll("devices");
    String compiled = "";
    if (programs.end(first) != 0 && first.text().contains("build-jni") && !setup.djl().isEmpty()) {
      String script = setup.distribution().resolve("build-jni").toString();
      long begun = System.nanoTime();
      programs.succeed(programs.start(Map.of(), List.of(script, setup.python(), setup.djl())));
      compiled =
          "\nJNI library compiled in %d s".formatted((System.nanoTime() - begun) / 1000000000);
    }
    String listed = programs.succeed(programs.roll("devices"));
    String lines =
        listed
            .lines()
            .filter(line -> line.matches("(\\d+ +\\w+|libtorch|unused) .*"))
            .collect(Collectors.joining("\n"));
    if (!setup.cpu() && !lines.contains(" cuda ")) {
      throw new CardFailure("no card is listed\n" + lines);
    }
    return lines.replaceAll(" +", " ") + compiled;
  }

  /**
   * Runs the tests for cards: jars of {@code tests/} beside the distribution over its bundles, or
   * by {@code ./dev} in a source tree.
   */
  private static String tests(CardSetup setup, Programs programs) throws Exception {
    Path jars = setup.root().resolve("tests");
    List<String> command = new ArrayList<>();
    if (Files.isDirectory(jars)) {
      if (!Files.exists(setup.distribution().resolve("cache"))) {
        programs.succeed(programs.roll("version")); // unpacks the bundles
      }
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(
          List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
      command.addAll(List.of("-cp", jars + "/*" + File.pathSeparator + bundles(setup)));
      command.addAll(List.of("org.junit.platform.console.ConsoleLauncher", "execute"));
      command.addAll(List.of("--disable-banner", "--disable-ansi-colors", "--details=summary"));
      TESTS.forEach(test -> command.add("--select-class=" + test));
    } else {
      command.addAll(List.of("./dev", "test", "roll.torch", "CardTest"));
    }
    String said = programs.succeed(programs.start(Map.of(), command));
    Matcher skipped = SKIPPED.matcher(said);
    if (skipped.find()) {
      throw new CardSkipped(skipped.group() + ": no card that libtorch computes on");
    }
    return String.join(", ", TESTS) + " passed";
  }

  /** Returns the class path of the bundles that the first start has unpacked. */
  private static String bundles(CardSetup setup) throws Exception {
    try (Stream<Path> found = Files.list(setup.distribution().resolve("cache"))) {
      return found
              .map(folder -> folder.resolve("jar"))
              .filter(Files::isDirectory)
              .map(folder -> folder + "/*" + File.pathSeparator)
              .collect(Collectors.joining())
          + setup.distribution().resolve("native/*");
    }
  }
}
