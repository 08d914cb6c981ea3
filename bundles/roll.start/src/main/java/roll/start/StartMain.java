package roll.start;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The main class of the executable jars. Bundles are unpacked once into a cache, which later starts
 * check, and installed from there by reference; the framework keeps its files in a folder of this
 * process, in memory if possible.
 *
 * <p>The rest is done by bnd's launcher, whose class loader sees only the cache.
 */
public final class StartMain {
  private static final String LAUNCHER = "aQute.launcher.Launcher";
  private static final long SECONDS_TO_END = 20;

  /** Exit status if the machine lacks resources to start, or a setting is wrong. */
  private static final int UNUSABLE = 2;

  private StartMain() {}

  /** Starts the distribution that this class is packed into and exits with its status. */
  public static void main(String[] arguments) throws Throwable {
    int status = start(arguments);
    Thread.ofPlatform().daemon().name("roll.start end").start(() -> endLate(status));
    System.exit(status);
  }

  /** Ends the process if a shutdown hook blocks; everything has already been saved and closed. */
  private static void endLate(int status) {
    try {
      Thread.sleep(SECONDS_TO_END * 1000);
      System.err.println("roll: a shutdown hook does not return; ending anyway");
      Runtime.getRuntime().halt(status);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static int start(String[] arguments) throws Throwable {
    BundleCache cache;
    FrameworkStorage storage;
    List<TemporaryFolder> temporary;
    List<String> runpath;
    try {
      SystemSettings.require(System.getProperties());
      PackedDistribution packed = PackedDistribution.own();
      cache = BundleCache.open(packed, WritableFolders.caches(packed.jar()));
      StartRequirements.require(FileTrees.list(cache.folder().resolve("jar")).size());
      storage = FrameworkStorage.open(WritableFolders.storages(cache.home()));
      temporary = temporary();
      runpath = packed.runpath();
    } catch (IOException e) {
      System.err.println("roll: " + e.getMessage());
      return UNUSABLE;
    }
    // Holds the locks of all until the JVM ends. Where a signal ends it during the start, the
    // framework
    // still writes into its folder; the next start deletes that.
    AtomicBoolean ended = new AtomicBoolean();
    Runnable close = () -> close(storage, temporary, cache, ended.get());
    Runtime.getRuntime().addShutdownHook(new Thread(close, "roll.start"));
    System.setProperty("launch.storage.dir", storage.framework().toString());
    try (URLClassLoader loader = loader(cache.folder(), runpath)) {
      return (int)
          MethodHandles.publicLookup()
              .findStatic(
                  loader.loadClass(LAUNCHER),
                  "run",
                  MethodType.methodType(int.class, String[].class))
              .invoke(arguments);
    } finally {
      ended.set(true);
    }
  }

  private static URLClassLoader loader(Path folder, List<String> runpath)
      throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (String jar : runpath) {
      urls.add(folder.resolve(jar).toUri().toURL());
    }
    urls.add(folder.toUri().toURL());
    return new URLClassLoader(
        "launcher", urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  /** Returns the folder of temporary files that the script created; none without the script. */
  private static List<TemporaryFolder> temporary() throws IOException {
    String made = System.getProperty(TemporaryFolder.FOLDER, "");
    Path used = Path.of(System.getProperty("java.io.tmpdir"));
    Path tried = made.isEmpty() ? used : Path.of(made);
    try {
      List<TemporaryFolder> own = made.isEmpty() ? List.of() : List.of(TemporaryFolder.open(tried));
      tried = used;
      // also sees a full disk, on which a file of no bytes can be made
      Path probe = Files.createTempFile("roll-", ".tmp");
      try {
        Files.write(probe, new byte[4096]);
      } finally {
        Files.delete(probe);
      }
      return own;
    } catch (IOException e) {
      throw new IOException(
          "the folder of temporary files cannot be written: "
              + WritableFolders.reason(tried, e)
              + "; another one: ROLL_JAVA_OPTS=-Djava.io.tmpdir=<folder>",
          e);
    }
  }

  private static void close(
      FrameworkStorage storage, List<TemporaryFolder> temporary, BundleCache cache, boolean ended) {
    if (ended) {
      storage.close();
      temporary.forEach(TemporaryFolder::close);
    }
    cache.close();
  }
}
