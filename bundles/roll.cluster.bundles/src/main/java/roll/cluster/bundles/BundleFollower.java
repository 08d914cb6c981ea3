package roll.cluster.bundles;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.option.UserException;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.Registration;
import roll.cluster.services.FileOffer;
import roll.cluster.services.FileTransfer;
import roll.cluster.services.RemoteCalls;
import roll.runtime.deploy.Deployer;
import roll.runtime.nodes.NodeConsole;

/**
 * Follows the bundles of the first node on any other node: fetches bundles that this node lacks,
 * and starts and removes them as the first node does. Prints a line for each refused bundle.
 */
@Component(
    name = "roll.cluster.bundles",
    immediate = true,
    service = {})
public final class BundleFollower {
  /** Framework property: folder for jars of other nodes. */
  static final String CACHE = "roll.cluster.bundles.cache";

  private static final Logger LOG = LoggerFactory.getLogger(BundleFollower.class);

  private final BundleContext context;
  private final Membership membership;
  private final Deployer deployer;
  private final NodeConsole console;
  private final Path cache;
  private final FileTransfer files;
  private final Registration calls;

  /** Installed jars by digest; used by the thread alone. */
  private final Map<String, Path> installed = new LinkedHashMap<>();

  /** Last printed line for each bundle, by name and version; used by the thread alone. */
  private final Map<String, String> printed = new HashMap<>();

  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          work -> Thread.ofPlatform().daemon().name("roll-bundles").unstarted(work));

  /** Starts to follow; does nothing on the first node. */
  @Activate
  public BundleFollower(
      BundleContext context,
      @Reference Membership membership,
      @Reference Deployer deployer,
      @Reference NodeConsole console) {
    this(context, membership, deployer, console, cache(context.getProperty(CACHE)));
  }

  BundleFollower(
      BundleContext context,
      Membership membership,
      Deployer deployer,
      NodeConsole console,
      Path cache) {
    this.context = context;
    this.membership = membership;
    this.deployer = deployer;
    this.console = console;
    this.cache = cache;
    this.files = new FileTransfer(membership, BundleSource.TOPICS);
    Member first = membership.members().getFirst();
    if (first.uid() == membership.self().uid()) {
      this.calls = () -> {};
    } else {
      this.calls = BundleSource.Follower.CONTRACT.serve(membership, _ -> () -> later(first));
      later(first);
    }
  }

  /** Returns {@code given}, or by default a folder among the caches of this user. */
  private static Path cache(@Nullable String given) {
    if (given != null) {
      return Path.of(given).toAbsolutePath();
    }
    String caches = System.getenv("XDG_CACHE_HOME");
    Path user =
        caches != null && caches.startsWith("/")
            ? Path.of(caches)
            : Path.of(System.getProperty("user.home"), ".cache");
    return user.resolve("roll").resolve("bundles");
  }

  private void later(Member first) {
    try {
      thread.execute(
          () -> {
            try {
              follow(first);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt(); // closed
            } catch (RuntimeException e) {
              LOG.warn("bundles of {}: {}", first, e.getMessage());
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.debug("closed", e);
    }
  }

  private void follow(Member first) throws InterruptedException {
    LocalBundles present = new LocalBundles(own(), deployer.deployed());
    List<BundleOffer> offers = RemoteCalls.await(source(first).offers(present.names()));
    for (Map.Entry<String, Path> before : List.copyOf(installed.entrySet())) {
      if (offers.stream().noneMatch(offer -> offer.jar().digest().equals(before.getKey()))) {
        deployer.dismiss(before.getValue(), console::say);
        installed.remove(before.getKey());
      }
    }
    List<BundleOffer> lacking = new ArrayList<>();
    for (BundleOffer offer : offers) {
      if (!installed.containsKey(offer.jar().digest())) {
        String kept = present.keptLine(offer);
        if (kept == null) {
          lacking.add(offer);
        } else {
          print(offer, kept);
        }
      }
    }
    // a bundle may need a service of a later one
    for (BundleOffer offer : take(first, lacking, present, false)) {
      take(first, List.of(offer), present, true);
    }
  }

  private BundleSource source(Member first) {
    return BundleSource.CONTRACT.of(membership, first, RemoteCalls.SHORT);
  }

  /** Returns the bundles of this framework that do not come from the first node. */
  private List<Bundle> own() {
    return Arrays.stream(context.getBundles())
        .filter(
            bundle ->
                installed.values().stream()
                    .noneMatch(jar -> jar.toUri().toString().equals(bundle.getLocation())))
        .toList();
  }

  /**
   * Fetches and starts the offered bundles {@code offers}.
   *
   * @param last whether refused bundles are not tried again
   * @return offers that this framework has refused
   */
  private List<BundleOffer> take(
      Member first, List<BundleOffer> offers, LocalBundles present, boolean last)
      throws InterruptedException {
    List<BundleOffer> refused = new ArrayList<>();
    for (BundleOffer offer : offers) {
      try {
        Path jar = fetch(first, offer.jar());
        String line = deployer.host(jar, console::say);
        installed.put(offer.jar().digest(), jar);
        String beside = present.besideClause(offer);
        print(offer, "fetched %s (%,d kB)%s".formatted(line, offer.jar().size() / 1000, beside));
      } catch (UserException e) {
        refused.add(offer);
        if (last) {
          print(offer, refusal(first, offer, e));
        }
      } catch (IOException e) {
        print(offer, refusal(first, offer, e));
      }
    }
    return refused;
  }

  private static String refusal(Member first, BundleOffer offer, Exception why) {
    return "bundle " + offer.title() + " of " + first.name() + " is refused: " + why.getMessage();
  }

  /** Returns the jar in the cache, which several processes may use. */
  private Path fetch(Member first, FileOffer jar) throws IOException, InterruptedException {
    if (!Files.isDirectory(cache)) {
      Files.createDirectories(cache.getParent());
      Files.createDirectories(
          cache,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    Path file = cache.resolve(jar.digest() + ".jar");
    files.fetch(first, jar, file);
    return file;
  }

  private void print(BundleOffer offer, String line) {
    if (!line.isEmpty() && !line.equals(printed.put(offer.title(), line))) {
      console.say(line);
    }
  }

  /** Removes fetched bundles, since the node leaves the run. */
  @Deactivate
  public void deactivate() {
    calls.close();
    thread.shutdownNow();
    if (context.getBundle(0).getState() == Bundle.ACTIVE) {
      try {
        for (Path jar : installed.values()) {
          deployer.dismiss(jar, console::say);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
