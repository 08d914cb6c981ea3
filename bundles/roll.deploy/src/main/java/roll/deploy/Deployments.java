package roll.deploy;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.hooks.weaving.WeavingHook;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import org.osgi.service.log.admin.LoggerAdmin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.option.UserException;
import roll.runtime.deploy.Deployer;
import roll.text.OneLine;
import roll.text.Suggestion;

/**
 * Deploys jars: by command, and by watching a folder. A single thread polls the folder and performs
 * all operations on bundles.
 */
@Component(name = "roll.deploy", immediate = true)
public final class Deployments implements Deployer {
  private static final long LOOK_MILLIS = 500;
  private static final long SECONDS_UNTIL_NOTICE = 3;
  private static final String DEFAULT_SECONDS = "60";
  private static final String STEP =
      "waiting for the end of the current step, which uses the bundle";
  private static final Logger LOG = LoggerFactory.getLogger("roll.deploy");

  private final BundleContext context;
  private final DeployFolder folder;
  private final Installer installer;
  private final FolderWatcher watch;
  private final LauncherStartup beginning;
  private final ServiceRegistration<WeavingHook> weaving;
  private final ExitWatch exits;
  private final CountDownLatch begun = new CountDownLatch(1);

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("roll.deploy").factory());

  /** Watches the folder once all bundles of the distribution are started. */
  @Activate
  public Deployments(
      BundleContext context,
      @Reference ServiceComponentRuntime runtime,
      @Reference(cardinality = OPTIONAL) @Nullable LoggerAdmin logging) {
    this.context = context;
    folder = new DeployFolder(context, property("roll.deploy.dir", "deploy"));
    folder.create();
    Path stacks = Path.of(property("roll.log.dir", System.getProperty("java.io.tmpdir")));
    BundleCheck judge = new BundleCheck(context, runtime, logging, stacks);
    long seconds = Long.parseLong(property("roll.deploy.timeout", DEFAULT_SECONDS));
    installer = new Installer(context, folder, judge, new StartTimeout(seconds), logging);
    watch = new FolderWatcher(folder, installer, Deployments::tell);
    beginning = new LauncherStartup(context);
    exits = new ExitWatch(context, folder);
    weaving = context.registerService(WeavingHook.class, new ForbiddenCallWeaver(folder), null);
    thread.execute(this::begin);
    var unused =
        thread.scheduleWithFixedDelay(
            () -> guarded(watch::look), 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private String property(String name, String defaultValue) {
    String value = context.getProperty(name);
    return value == null ? defaultValue : value;
  }

  /** Stops watching the deployment folder. */
  @Deactivate
  public void close() {
    thread.shutdownNow();
    weaving.unregister();
    exits.close();
  }

  private void begin() {
    try {
      beginning.await();
      installer.settle();
      guarded(this::undo);
      guarded(watch::begin);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // closed
    } finally {
      begun.countDown();
    }
  }

  /** Undoes replacements of processes that were killed. */
  private void undo() {
    try {
      Replacement.undoAll(folder)
          .forEach(
              name ->
                  LOG.warn(
                      "{} was being replaced when roll was killed; the older version is restored",
                      name));
    } catch (IOException e) {
      LOG.warn("cannot undo interrupted replacements in {}", folder.path(), e);
    }
  }

  /** Logs exceptions, which would end the schedule. */
  private void guarded(Runnable look) {
    try {
      look.run();
    } catch (RuntimeException e) {
      LOG.warn("cannot read {}", folder.path(), e);
    }
  }

  private static void tell(DeployResult verdict) {
    if (verdict.accepted()) {
      LOG.info("deployed {}", verdict.line());
    } else {
      LOG.warn(verdict.told());
    }
  }

  @Override
  public void settle() throws InterruptedException {
    beginning.complete();
    begun.await();
  }

  @Override
  public List<String> deploy(List<Path> jars, Consumer<String> notice) throws InterruptedException {
    return onThread(() -> deploy(jars), notice);
  }

  @Override
  public String undeploy(String name, Consumer<String> notice) throws InterruptedException {
    return onThread(() -> undeploy(name), notice);
  }

  @Override
  public String host(Path jar, Consumer<String> notice) throws InterruptedException {
    return onThread(() -> host(jar.toAbsolutePath().normalize()), notice);
  }

  private String host(Path jar) {
    folder.host(jar);
    DeployResult verdict = watch.now(jar);
    if (verdict == null || !verdict.accepted()) {
      dismiss(jar);
      throw new UserException(verdict == null ? jar + " does not exist" : verdict.line());
    }
    return verdict.line();
  }

  @Override
  public void dismiss(Path jar, Consumer<String> notice) throws InterruptedException {
    var unused =
        onThread(
            () -> {
              dismiss(jar.toAbsolutePath().normalize());
              return true;
            },
            notice);
  }

  private void dismiss(Path jar) {
    folder.dismiss(jar);
    watch.now(jar);
  }

  @Override
  public Map<Long, Path> deployed() {
    Map<Long, Path> deployed = new TreeMap<>();
    for (Path jar : folder.jars().keySet()) {
      Bundle bundle = folder.bundle(jar);
      if (bundle != null && BundleCheck.started(bundle)) {
        deployed.put(bundle.getBundleId(), installer.servesFrom(bundle, jar));
      }
    }
    return deployed;
  }

  private <T> T onThread(Callable<T> work, Consumer<String> notice) throws InterruptedException {
    Future<T> result = thread.submit(work);
    boolean told = false;
    while (true) {
      try {
        return result.get(SECONDS_UNTIL_NOTICE, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        if (!told && folder.stopping()) {
          notice.accept(STEP);
          told = true;
        }
      } catch (ExecutionException e) {
        switch (e.getCause()) {
          case UserException mistake -> throw mistake;
          case RuntimeException failure -> throw failure;
          case null, default -> throw new IllegalStateException(e.getCause());
        }
      }
    }
  }

  private List<String> deploy(List<Path> jars) {
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

  private String undeploy(String name) {
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
}
