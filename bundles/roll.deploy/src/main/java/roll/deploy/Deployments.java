package roll.deploy;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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

/**
 * Deploys jars: by command, and by watching a folder. A single thread polls the folder and performs
 * all operations on bundles.
 */
@Component(name = "roll.deploy", immediate = true)
public final class Deployments implements Deployer {
  private static final long LOOK_MILLIS = 500;
  private static final long SECONDS_UNTIL_NOTICE = 3;
  private static final String STEP =
      "waiting for the end of the current step, which uses the bundle";
  private static final Logger LOG = LoggerFactory.getLogger("roll.deploy");

  private final BundleContext context;
  private final DeployFolder folder;
  private final Installer installer;
  private final FolderWatcher watch;
  private final DeployActions actions;
  private final LauncherStartup beginning;
  private final ServiceRegistration<WeavingHook> weaving;
  private final ExitWatch exits;
  private final CountDownLatch begun = new CountDownLatch(1);

  /** The last exception of a poll, if the last poll failed. */
  private @Nullable String failure;

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
    StartTimeout timeout = StartTimeout.of(context.getProperty(StartTimeout.PROPERTY));
    installer = new Installer(context, folder, judge, timeout, logging);
    watch = new FolderWatcher(folder, installer, Deployments::tell);
    actions = new DeployActions(context, folder, installer, watch);
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

  /** Logs exceptions, which would end the schedule; a repeated one only once. */
  private void guarded(Runnable look) {
    try {
      look.run();
      failure = null;
    } catch (RuntimeException e) {
      String line = String.valueOf(e);
      if (!line.equals(failure)) {
        failure = line;
        LOG.warn("cannot read {}", folder.path(), e);
      }
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
    return onThread(() -> actions.deploy(jars), notice);
  }

  @Override
  public String undeploy(String name, Consumer<String> notice) throws InterruptedException {
    return onThread(() -> actions.undeploy(name), notice);
  }

  @Override
  public String host(Path jar, Consumer<String> notice) throws InterruptedException {
    return onThread(() -> actions.host(jar.toAbsolutePath().normalize()), notice);
  }

  @Override
  public void dismiss(Path jar, Consumer<String> notice) throws InterruptedException {
    var unused =
        onThread(
            () -> {
              actions.dismiss(jar.toAbsolutePath().normalize());
              return true;
            },
            notice);
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
}
