package roll.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.osgi.framework.BundleContext;
import roll.api.option.UserException;
import roll.text.OneLine;
import roll.text.Suggestion;

/** Deploys and removes jars by command. Used by one thread. */
final class DeployActions {
  private final BundleContext context;
  private final DeployFolder folder;
  private final Installer installer;
  private final FolderWatcher watch;

  DeployActions(
      BundleContext context, DeployFolder folder, Installer installer, FolderWatcher watch) {
    this.context = context;
    this.folder = folder;
    this.installer = installer;
    this.watch = watch;
  }

  /**
   * Deploys all {@code jars}, or none; returns what each provides.
   *
   * @throws UserException if one is refused
   */
  List<String> deploy(List<Path> jars) {
    List<CandidateJar> candidates = jars.stream().map(CandidateJar::read).toList();
    for (Path jar : jars) {
      if (jar.toAbsolutePath().normalize().startsWith(folder.path())) {
        throw new UserException(jar + " is already in the watched folder");
      }
    }
    try (Replacement replacement = Replacement.of(folder, candidates)) {
      List<String> lines = new ArrayList<>();
      for (Replacement.Part part : replacement.parts()) {
        Optional<DeployResult> refused = installer.refuse(part.source());
        if (refused.isPresent()) {
          takeBack(replacement, lines.size());
          throw new UserException(refused.get().line());
        }
        lines.add(put(replacement, part, lines.size()));
      }
      replacement.settle();
      return lines;
    } catch (IOException e) {
      throw new UserException(
          "cannot copy " + jars.getLast() + " to " + folder.path() + ": " + e, e);
    }
  }

  /** Deploys {@code part} after {@code before} others, or takes back all of them. */
  private String put(Replacement replacement, Replacement.Part part, int before)
      throws IOException {
    Path target = part.target();
    DeployFolder.Stamp put = replacement.put(part);
    DeployResult verdict = watch.now(target);
    if (verdict == null || !put.equals(folder.jars().get(target))) {
      takeBack(replacement, before); // the other program's file stays
      throw new UserException(
          target + " was replaced or deleted by another program during deployment");
    }
    if (verdict.accepted()) {
      return verdict.line();
    }
    takeBack(replacement, before);
    DeployResult old = watch.now(part.restored());
    throw new UserException((old == null ? verdict : verdict.insteadOf(old)).told());
  }

  /** Restores the replaced files, and the bundles of the first {@code count} of them. */
  private void takeBack(Replacement replacement, int count) throws IOException {
    replacement.takeBack();
    replacement.parts().subList(0, count).forEach(part -> watch.now(part.restored()));
  }

  /**
   * Deletes the jar with the symbolic or file name {@code name}; returns its name and version.
   *
   * @throws UserException if there is none, or it cannot be removed
   */
  String undeploy(String name) {
    Path jar = find(name);
    String title;
    try {
      title = CandidateJar.read(jar).title();
    } catch (UserException e) {
      title = OneLine.of(jar.getFileName().toString()); // a broken jar can be removed too
    }
    try {
      Files.delete(jar);
    } catch (IOException e) {
      throw new UserException("cannot delete " + jar + ": " + e, e);
    }
    watch.now(jar);
    if (folder.bundle(jar) != null) {
      throw new UserException(
          jar
              + " is deleted, but "
              + title
              + " is still starting and stays installed until roll"
              + " is restarted");
    }
    return title;
  }

  private Path find(String name) {
    TreeMap<String, Path> known = new TreeMap<>();
    for (Path jar : folder.own().keySet()) {
      known.put(jar.getFileName().toString(), jar);
      try {
        known.put(CandidateJar.read(jar).name(), jar);
      } catch (UserException e) {
        // a broken jar is known by its file name only
      }
    }
    String plain = name.substring(name.lastIndexOf('/') + 1);
    for (String spelling : List.of(name, plain, plain + ".jar")) {
      Path jar = known.get(spelling);
      if (jar != null) {
        return jar;
      }
    }
    boolean shipped =
        Stream.of(context.getBundles()).anyMatch(b -> name.equals(b.getSymbolicName()));
    throw new UserException(
        shipped
            ? name + " is part of this distribution and cannot be undeployed"
            : "no deployed bundle '"
                + name
                + "' (deployed: "
                + (known.isEmpty() ? "none" : OneLine.of(String.join(", ", known.keySet())))
                + ")"
                + Suggestion.near(name, known.keySet()));
  }

  /**
   * Deploys {@code jar}, which stays where it is; returns what it provides.
   *
   * @throws UserException if it is refused
   */
  String host(Path jar) {
    folder.host(jar);
    DeployResult verdict = watch.now(jar);
    if (verdict == null || !verdict.accepted()) {
      dismiss(jar);
      throw new UserException(verdict == null ? jar + " does not exist" : verdict.line());
    }
    return verdict.line();
  }

  /** Removes the bundle of {@code jar}, which {@link #host} deployed. */
  void dismiss(Path jar) {
    folder.dismiss(jar);
    watch.now(jar);
  }
}
