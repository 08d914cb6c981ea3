package roll.deploy;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import roll.api.config.UserException;

/**
 * Looks at the folder again and again, and finds a verdict on each jar that came or changed.
 *
 * <p>It asks the framework what is there instead of listening to events: FileInstall stops,
 * updates, refreshes and starts in its own time, and tells nobody of files it does not take.
 */
final class Watch {
  /** How long FileInstall may take where nothing keeps it, in milliseconds: some of its polls. */
  private static final long PATIENCE = 3_000;

  private static final String STEP = "waiting for the step under way, which uses it, to end";

  private final BundleContext context;
  private final Folder folder;
  private final Judge judge;
  private final Consumer<Verdict> news;
  private final Map<Path, Seen> seen = new HashMap<>();
  private final Set<Path> awaited = new HashSet<>();
  private long lastLook;

  /**
   * A watch over {@code folder}.
   *
   * @param news told each verdict nobody {@link #await}ed
   */
  Watch(BundleContext context, Folder folder, Judge judge, Consumer<Verdict> news) {
    this.context = context;
    this.folder = folder;
    this.judge = judge;
    this.news = news;
  }

  private static final class Seen {
    final Folder.Stamp stamp;

    /** A bundle modified before cannot have this content; in milliseconds. */
    final long since;

    long waitingFrom;

    /** When the bundle was modified that was judged; in milliseconds. */
    long judged;

    @Nullable Verdict verdict;

    Seen(Folder.Stamp stamp, long since, long now) {
      this.stamp = stamp;
      this.since = since;
      this.waitingFrom = now;
    }
  }

  /** Looks once; from one thread at a time. */
  synchronized void look() {
    long now = System.currentTimeMillis();
    boolean busy = folder.stopping();
    Map<Path, Folder.Stamp> jars = folder.jars();
    seen.keySet().retainAll(jars.keySet());
    jars.forEach((jar, stamp) -> look(jar, stamp, now, busy));
    lastLook = now;
    notifyAll();
  }

  private void look(Path jar, Folder.Stamp stamp, long now, boolean busy) {
    Seen known = seen.get(jar);
    if (known == null || !known.stamp.equals(stamp)) {
      // the bundle of what was there before may have come since the last look
      long since = known == null ? lastLook : Math.max(lastLook, known.judged + 1);
      known = new Seen(stamp, since, now);
      seen.put(jar, known);
    }
    if (busy) {
      known.waitingFrom = now;
    }
    if (known.verdict == null) {
      Verdict verdict = decide(jar, known, now);
      known.verdict = verdict;
      if (verdict != null && !awaited.contains(jar)) {
        news.accept(verdict);
      }
    }
  }

  /** Says that the verdicts on {@code jar} are awaited, and no news, until {@link #forget}. */
  synchronized void expect(Path jar) {
    awaited.add(jar);
  }

  /** Ends what {@link #expect} began. */
  synchronized void forget(Path jar) {
    awaited.remove(jar);
  }

  /**
   * Waits for the verdict on what {@code jar} holds now.
   *
   * @param notice told once where the wait is long
   * @throws UserException if somebody else replaces or deletes it meanwhile
   */
  synchronized Verdict await(Path jar, Folder.Stamp stamp, Consumer<String> notice)
      throws InterruptedException {
    boolean told = false;
    long from = System.currentTimeMillis();
    while (true) {
      Seen known = seen.get(jar);
      if (known != null && known.stamp.equals(stamp) && known.verdict != null) {
        return known.verdict;
      }
      if (!stamp.equals(folder.jars().get(jar))) {
        throw new UserException(jar + " was replaced or deleted by another program meanwhile");
      }
      if (!told && System.currentTimeMillis() - from > PATIENCE && folder.stopping()) {
        notice.accept(STEP);
        told = true;
      }
      wait(PATIENCE);
    }
  }

  /** Waits until {@code bundle} is uninstalled; false if FileInstall does not take notice. */
  boolean awaitGone(Bundle bundle, Consumer<String> notice) throws InterruptedException {
    boolean told = false;
    long from = System.currentTimeMillis();
    while (bundle.getState() != Bundle.UNINSTALLED) {
      boolean late = System.currentTimeMillis() - from > PATIENCE;
      if (late && bundle.getState() != Bundle.STOPPING && !folder.stopping()) {
        return false;
      }
      if (late && !told) {
        notice.accept(STEP);
        told = true;
      }
      Thread.sleep(50);
    }
    return true;
  }

  private @Nullable Verdict decide(Path jar, Seen known, long now) {
    Bundle bundle = folder.bundle(jar);
    boolean late = now - known.waitingFrom > PATIENCE;
    if (bundle != null && bundle.getLastModified() >= known.since) {
      known.judged = bundle.getLastModified();
      return Judge.started(bundle) || late ? named(jar, judge.judge(bundle)) : null;
    }
    if (!late) {
      return null;
    }
    try {
      Candidate candidate = Candidate.read(jar);
      String why =
          twin(candidate)
              .map(other -> " is installed already, from " + other.getLocation())
              .orElse(": FileInstall has not installed it");
      return named(jar, Verdict.refused(candidate.title() + why));
    } catch (UserException e) {
      return Verdict.refused(e.getMessage());
    }
  }

  /** A refusal says which file. */
  private static Verdict named(Path jar, Verdict verdict) {
    return verdict.accepted()
        ? verdict
        : Verdict.refused("refused " + jar.getFileName() + ": " + verdict.line());
  }

  private Optional<Bundle> twin(Candidate candidate) {
    return Stream.of(context.getBundles())
        .filter(bundle -> candidate.name().equals(bundle.getSymbolicName()))
        .filter(bundle -> candidate.version().equals(bundle.getVersion()))
        .findFirst();
  }
}
