package roll.start;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The main class of bnd's executable jars. The bundles are unpacked once, into a cache that every
 * later start checks, and installed from there by reference; the framework keeps its files in a
 * folder of this process, on a file system in memory where there is one.
 *
 * <p>All else is bnd's launcher, which finds the bundles as files and not in the jar: its class
 * loader sees the cache alone.
 */
public final class Start {
  private static final String LAUNCHER = "aQute.launcher.Launcher";

  private Start() {}

  /** Starts the distribution that this class is packed into and exits with its status. */
  public static void main(String[] arguments) throws Throwable {
    System.exit(start(arguments));
  }

  private static int start(String[] arguments) throws Throwable {
    Cache cache;
    Storage storage;
    List<String> runpath;
    try {
      Packed packed = Packed.own();
      cache = Cache.open(packed, Places.caches(packed.jar()));
      storage = Storage.open(Places.storages(cache.home()));
      runpath = packed.runpath();
    } catch (IOException e) {
      System.err.println("roll: " + e.getMessage());
      return 1;
    }
    // Holds the locks of both until the JVM ends.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(storage, cache), "roll.start"));
    System.setProperty("launch.storage.dir", storage.framework().toString());
    try (URLClassLoader loader = loader(cache.folder(), runpath)) {
      return (int)
          MethodHandles.publicLookup()
              .findStatic(
                  loader.loadClass(LAUNCHER),
                  "run",
                  MethodType.methodType(int.class, String[].class))
              .invoke(arguments);
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

  private static void close(Storage storage, Cache cache) {
    storage.close();
    cache.close();
  }
}
