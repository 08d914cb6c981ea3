package roll.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import org.osgi.service.log.admin.LoggerAdmin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.config.Suggestion;
import roll.api.config.UserException;
import roll.api.deploy.Deployer;

/** The watched folder, for commands and for jars that are dropped into it by hand. */
@Component(name = "roll.deploy", immediate = true)
public final class Deployments implements Deployer {
  private static final long LOOK_MILLIS = 500;
  private static final Logger LOG = LoggerFactory.getLogger("roll.deploy");

  private final BundleContext context;
  private final Folder folder;
  private final Watch watch;

  private final ScheduledExecutorService looking =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("roll.deploy").factory());

  /** Begins to watch the folder that FileInstall watches. */
  @Activate
  public Deployments(
      BundleContext context,
      @Reference ServiceComponentRuntime runtime,
      @Reference(cardinality = ReferenceCardinality.OPTIONAL) @Nullable LoggerAdmin logging) {
    this.context = context;
    String place = context.getProperty("felix.fileinstall.dir");
    folder = new Folder(context, place == null ? "deploy" : place);
    folder.create();
    String log = context.getProperty("roll.log.dir");
    Path stacks = Path.of(log == null ? System.getProperty("java.io.tmpdir") : log);
    watch =
        new Watch(context, folder, new Judge(context, runtime, logging, stacks), Deployments::tell);
    var unused = looking.scheduleWithFixedDelay(this::look, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Ends the watch. */
  @Deactivate
  public void close() {
    looking.shutdownNow();
  }

  private void look() {
    try {
      watch.look();
    } catch (RuntimeException e) {
      LOG.warn(
          "cannot look into {}", folder.path(), e); // and goes on: an exception ends a schedule
    }
  }

  private static void tell(Verdict verdict) {
    if (verdict.accepted()) {
      LOG.info("deployed {}", verdict.line());
    } else {
      LOG.warn(verdict.line());
    }
  }

  @Override
  public synchronized String deploy(Path jar, Consumer<String> notice) throws InterruptedException {
    Candidate candidate = Candidate.read(jar);
    checkPlace(candidate);
    checkNeeds(candidate);
    try (Replacement replacement = Replacement.of(folder, candidate)) {
      Path target = replacement.target();
      watch.expect(target);
      try {
        Verdict verdict = watch.await(target, replacement.put(), notice);
        if (verdict.accepted()) {
          return verdict.line();
        }
        throw new UserException(verdict.line() + takeBack(replacement, notice));
      } finally {
        watch.forget(target);
      }
    } catch (IOException e) {
      throw new UserException("cannot copy " + jar + " to " + folder.path() + ": " + e, e);
    }
  }

  private void checkPlace(Candidate candidate) {
    if (candidate.jar().toAbsolutePath().normalize().startsWith(folder.path())) {
      throw new UserException(candidate.jar() + " is in the watched folder already");
    }
    for (Bundle bundle : context.getBundles()) {
      if (candidate.name().equals(bundle.getSymbolicName())
          && candidate.version().equals(bundle.getVersion())
          && !folder.holds(bundle.getLocation())) {
        throw new UserException(
            "refused "
                + candidate.jar().getFileName()
                + ": "
                + candidate.title()
                + " is part of this distribution; give yours another version or name");
      }
    }
  }

  private void checkNeeds(Candidate candidate) {
    try {
      new Trial(context)
          .missing(candidate)
          .ifPresent(
              why -> {
                throw new UserException(
                    "refused "
                        + candidate.jar().getFileName()
                        + ": "
                        + candidate.title()
                        + ": "
                        + why);
              });
    } catch (IOException e) {
      throw new UserException("refused " + candidate.jar().getFileName() + ": " + e, e);
    }
  }

  /** Puts back what was there before, and says what serves on. */
  private String takeBack(Replacement replacement, Consumer<String> notice)
      throws IOException, InterruptedException {
    Path target = replacement.target();
    Bundle refused = folder.bundle(target);
    Optional<Folder.Stamp> before = replacement.takeBack();
    if (before.isEmpty()) {
      if (refused != null) {
        watch.awaitGone(refused, notice);
      }
      return "";
    }
    Verdict old = watch.await(replacement.oldest(), before.get(), notice);
    return old.accepted() ? "; what serves on is " + old.line() : "";
  }

  @Override
  public synchronized String undeploy(String name, Consumer<String> notice)
      throws InterruptedException {
    Path jar = find(name);
    Bundle bundle = folder.bundle(jar);
    String title;
    try {
      title = Candidate.read(jar).title();
    } catch (UserException e) {
      title = jar.getFileName().toString(); // a broken jar can go all the same
    }
    try {
      Files.delete(jar);
    } catch (IOException e) {
      throw new UserException("cannot delete " + jar + ": " + e, e);
    }
    if (bundle != null && !watch.awaitGone(bundle, notice)) {
      throw new UserException(jar + " is deleted, but FileInstall does not uninstall " + title);
    }
    return title;
  }

  private Path find(String name) {
    TreeMap<String, Path> known = new TreeMap<>();
    for (Path jar : folder.jars().keySet()) {
      known.put(jar.getFileName().toString(), jar);
      try {
        known.put(Candidate.read(jar).name(), jar);
      } catch (UserException e) {
        // a broken jar has its file's name only
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
            ? name + " was not deployed: it is part of this distribution"
            : "nothing named '"
                + name
                + "' was deployed (deployed: "
                + (known.isEmpty()
                    ? "none"
                    : known.keySet().stream().collect(Collectors.joining(", ")))
                + ")"
                + Suggestion.near(name, known.keySet()));
  }
}
