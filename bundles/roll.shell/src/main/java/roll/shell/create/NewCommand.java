package roll.shell.create;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.SourceVersion;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import roll.api.option.UserException;
import roll.runtime.plugin.BundleOrigin;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.command.Syntax.Word;
import roll.shell.syntax.UserPath;
import roll.text.Suggestion;

/** {@code new}: writes a plugin project that can be built and deployed. */
@Component(name = "roll.shell.new", service = Command.class)
@RollCommand(function = "new")
public final class NewCommand extends Command {
  /** The kind that is written in Python and needs no build. */
  static final String PYTHON = "python_environment";

  /** Service property with the plugin's name, by kind. */
  public static final Map<String, String> KINDS =
      new TreeMap<>(
          Map.of(
              "curriculum",
              "roll.curriculum",
              "environment",
              "roll.env",
              "estimator",
              "roll.estimator",
              "loss",
              "roll.loss",
              PYTHON,
              "roll.env",
              "reward",
              "roll.reward",
              "strategy",
              "roll.strategy",
              "tool",
              "roll.tool",
              "tracker",
              "roll.tracker"));

  private static final Pattern ID = Pattern.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*");
  private static final int LONGEST = 40;

  /** Packages that a user must not define. */
  private static final Set<String> TAKEN = Set.of("java", "javax", "jdk", "org", "com", "roll");

  /** Arguments and options of the command {@code new}. */
  static final Syntax SYNTAX =
      new Syntax(
          "new",
          "Writes a project for a new plugin.",
          List.of(
              Word.one("kind", String.join(", ", KINDS.keySet())),
              Word.one("id", "the name that configurations use, such as maze")),
          List.of(
              Option.optional(
                  Syntax.OUTPUT, "dir", "target folder (also -o); by default a folder named id")));

  private final BundleContext context;

  /** A command with the templates in the bundle of {@code context}. */
  @Activate
  public NewCommand(BundleContext context) {
    super(SYNTAX);
    this.context = context;
  }

  /** Writes the project; returns the next steps. */
  @Override
  protected String run(CommandSession session, Arguments given) throws IOException {
    String kind = given.word(0);
    String id = given.word(1);
    check(kind, id);
    @Nullable String output = given.optional(Syntax.OUTPUT);
    Path folder = UserPath.of(session, output == null ? id : output);
    checkFree(folder);
    ProjectTemplate template = ProjectTemplate.of(context.getBundle(), "template/" + kind);
    template.write(folder, values(id, kind.equals(PYTHON) ? "" : repository()));
    return "wrote " + folder + " (" + kind + " " + id + ")\n" + next(kind, id, folder);
  }

  /** Returns the commands to type next, of which each writes to a folder of its own. */
  static String next(String kind, String id, Path folder) {
    String config = folder.resolve(id + ".yaml").toString();
    String train = "train " + config;
    if (kind.equals(PYTHON)) {
      return "next: rollout %s --agent random exp_name=%s-random\nthen: %s"
          .formatted(config, id, train);
    }
    return "next: mvn -f "
        + folder
        + " package\nthen: deploy "
        + folder.resolve("target").resolve(id + "-1.0.0.jar")
        + "\nthen: "
        + (kind.equals("tool")
            ? "rollout " + folder.resolve("demos.yaml") + " --agent scripted"
            : train);
  }

  /** Returns the values of a template's variables; some names are those of Bndtools. */
  static Map<String, String> values(String id, String repository) {
    String className =
        Arrays.stream(id.split("_"))
            .map(
                word -> word.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + word.substring(1))
            .collect(Collectors.joining());
    return Map.of(
        "projectName", id,
        "basePackageName", id,
        "basePackageDir", id,
        "dot", ".",
        "className", className,
        "repository", repository);
  }

  private void check(String kind, String id) {
    if (!KINDS.containsKey(kind)) {
      throw SYNTAX.wrong(
          "no kind '"
              + kind
              + "' (allowed: "
              + String.join(", ", KINDS.keySet())
              + ")"
              + Suggestion.near(kind, KINDS.keySet()));
    }
    if (!ID.matcher(id).matches() || id.length() > LONGEST) {
      throw new UserException(
          "new: '"
              + id
              + "' cannot be an id (allowed: lowercase letters, digits and _ between them, starting"
              + " with a letter, at most "
              + LONGEST
              + ", such as maze or cliff_walk)");
    }
    if (SourceVersion.isKeyword(id) || TAKEN.contains(id)) {
      throw new UserException(
          "new: '" + id + "' cannot be an id: it must also be a valid Java package name");
    }
    checkUnknown(kind, id);
  }

  /** Refuses the name of a plugin that is not deployed: the two would compete. */
  private void checkUnknown(String kind, String id) {
    try {
      ServiceReference<?>[] found =
          context.getAllServiceReferences(null, "(" + KINDS.get(kind) + "=" + id + ")");
      for (ServiceReference<?> reference : found == null ? new ServiceReference<?>[0] : found) {
        Bundle bundle = reference.getBundle();
        if (bundle != null
            && BundleOrigin.of(context.getProperty(BundleOrigin.WATCHED), bundle.getLocation())
                .isEmpty()) {
          throw new UserException(
              "new: the "
                  + kind
                  + " "
                  + id
                  + " already exists, in "
                  + bundle.getSymbolicName()
                  + "; choose another id");
        }
      }
    } catch (InvalidSyntaxException e) {
      throw new IllegalStateException(e); // an id needs no escaping
    }
  }

  private static void checkFree(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        if (files.findAny().isEmpty()) {
          return;
        }
      }
      throw new UserException("new: " + folder + " is not empty; nothing is overwritten");
    }
    if (Files.exists(folder)) {
      throw new UserException("new: " + folder + " is a file; nothing is overwritten");
    }
  }

  /** Returns the URL of the Maven repository of this distribution. */
  private String repository() {
    String home = context.getProperty("gosh.home");
    Path repository = Path.of(home == null ? "" : home, "repository").toAbsolutePath().normalize();
    if (!Files.isDirectory(repository)) {
      throw new UserException(
          "new: this distribution has no folder "
              + repository
              + " to build plugins against; use the full distribution");
    }
    return repository.toUri().toString().replaceFirst("/$", "");
  }
}
