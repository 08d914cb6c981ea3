package roll.shell.completion;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jline.reader.Candidate;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import roll.api.env.Environment;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.KeyReference;
import roll.runtime.pipeline.Trainer;
import roll.runtime.plugin.BundleOrigin;
import roll.runtime.plugin.ServiceNames;
import roll.shell.command.Command;
import roll.shell.command.Syntax;

/**
 * Names in this framework and in the file system.
 *
 * @param context of this bundle
 * @param loader with the keys of configurations, or null
 * @param trainer with the runs, or null
 * @param here folder that relative names are resolved against
 */
record CompletionNames(
    BundleContext context, @Nullable ConfigLoader loader, @Nullable Trainer trainer, Path here) {
  /** Returns the names under which services of a kind are registered, sorted. */
  List<String> ids(String kind) {
    TreeSet<String> ids = new TreeSet<>();
    if (!kind.isEmpty()) {
      references(kind, "*")
          .forEach(service -> ids.addAll(ServiceNames.all(service.getProperty(kind))));
    }
    return List.copyOf(ids);
  }

  private Stream<ServiceReference<?>> references(String kind, String name) {
    try {
      ServiceReference<?>[] found =
          context.getAllServiceReferences(null, "(" + kind + "=" + name + ")");
      return found == null ? Stream.empty() : Arrays.stream(found);
    } catch (InvalidSyntaxException e) {
      return Stream.empty(); // not a valid name
    }
  }

  /** Returns the syntax of the command {@code roll:name}, or null if it has none. */
  @Nullable Syntax syntax(String name) {
    return references("osgi.command.scope", "roll")
        .filter(found -> names(found).contains(name))
        .max(Comparator.naturalOrder())
        .map(this::syntax)
        .orElse(null);
  }

  private @Nullable Syntax syntax(ServiceReference<?> reference) {
    Syntax syntax =
        context.getService(reference) instanceof Command command ? command.syntax() : null;
    context.ungetService(reference);
    return syntax;
  }

  private static List<String> names(ServiceReference<?> command) {
    return ServiceNames.all(command.getProperty("osgi.command.function"));
  }

  /** Returns the names of the commands, without scope. */
  List<String> commands() {
    TreeSet<String> names = new TreeSet<>();
    references("osgi.command.scope", "roll").forEach(command -> names.addAll(names(command)));
    return List.copyOf(names);
  }

  /** Returns the numbers of the runs. */
  List<String> runs() {
    return trainer == null
        ? List.of()
        : trainer.runs().stream().map(run -> String.valueOf(run.number())).toList();
  }

  /** Returns the symbolic names of the deployed bundles. */
  List<String> deployed() {
    String watched = context.getProperty(BundleOrigin.WATCHED);
    return Arrays.stream(context.getBundles())
        .filter(bundle -> !BundleOrigin.of(watched, bundle.getLocation()).isEmpty())
        .map(Bundle::getSymbolicName)
        .toList();
  }

  /** Returns the configuration keys of {@code framework}. */
  List<String> keys(String framework) {
    ServiceReference<KeyReference> found = context.getServiceReference(KeyReference.class);
    KeyReference reference = found == null ? null : context.getService(found);
    return reference == null || !KeyReference.FRAMEWORKS.contains(framework)
        ? List.of()
        : reference.keys(framework).stream()
            .map(entry -> entry.key().replaceFirst(" .*", "")) // without the commands that have it
            .distinct()
            .toList();
  }

  /** Returns the dotted paths of the keys of a configuration. */
  List<String> keys() {
    return loader == null ? List.of() : loader.keys();
  }

  /** Returns the options of the environment {@code id}, each with an equals sign. */
  Stream<String> options(String id) {
    List<String> options = new ArrayList<>();
    references("roll.env", id)
        .limit(1)
        .forEach(
            reference -> {
              if (context.getService(reference) instanceof Environment environment) {
                environment.options().forEach(option -> options.add(option.name() + "="));
                context.ungetService(reference);
              }
            });
    return options.stream();
  }

  /** Returns folders, and files whose name is {@code wanted}, in the folder of {@code typed}. */
  List<Candidate> files(String typed, Predicate<String> wanted) {
    String folder = typed.substring(0, typed.lastIndexOf('/') + 1);
    boolean hidden = typed.startsWith(".", folder.length());
    List<Candidate> candidates = new ArrayList<>();
    try (Stream<Path> files = Files.list(here.resolve(folder))) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        boolean inside = Files.isDirectory(file);
        if (hidden == name.startsWith(".") && (inside || wanted.test(name))) {
          String shown = inside ? name + "/" : name;
          candidates.add(new Candidate(folder + shown, shown, null, null, null, null, !inside));
        }
      }
    } catch (IOException | InvalidPathException e) {
      return List.of(); // not a folder
    }
    return candidates;
  }
}
