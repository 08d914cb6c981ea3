package roll.timing;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.osgi.service.component.annotations.Component;

/**
 * Writes the times of the test classes of this JVM into {@code times-<pid>.tsv} in the folder of
 * the system property {@value #FOLDER}; nothing without it. A line for each class, and one for the
 * JVM from its start to the end of its tests, has kind, name, ring, wall seconds, processor
 * seconds, and whether a process was started; {@code -} is unknown. A nested class is part of its
 * outer class.
 *
 * <p>Surefire finds this as a provider on the class path, bnd's tester as a service.
 */
@Component(service = TestExecutionListener.class)
public final class TestTimes implements TestExecutionListener {
  static final String FOLDER = "roll.times";

  /** Tags of rings; a class is in the first one that it or one of its tests has. */
  private static final List<String> RINGS = List.of("slow", "hostile", "processes", "framework");

  private static final String WITHOUT_TAG = "unit";

  private final Map<String, ClassTiming> running = new HashMap<>();
  private @Nullable TestPlan plan;
  private @Nullable Path file;

  /** Created by the launcher of the JUnit Platform, or by Declarative Services. */
  public TestTimes() {}

  /**
   * The first plan of a JVM writes the folder: a plan that a test launches is part of that test.
   */
  @Override
  public synchronized void testPlanExecutionStarted(TestPlan started) {
    plan = started;
    String folder = System.clearProperty(FOLDER);
    if (folder != null) {
      begin(Path.of(folder));
    }
  }

  @Override
  public synchronized void executionStarted(TestIdentifier test) {
    if (file != null && isOutermostClass(test)) {
      running.put(test.getUniqueId(), new ClassTiming());
      if (running.size() > 1) {
        running.values().forEach(ClassTiming::share);
      }
    }
  }

  @Override
  public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
    ClassTiming run = running.remove(test.getUniqueId());
    if (run != null && test.getSource().orElse(null) instanceof ClassSource source) {
      ProcessUsage now = ProcessUsage.now();
      write(
          "class",
          source.getClassName(),
          ring(test),
          run.wall(),
          run.processor(now),
          run.processes(now));
    }
  }

  @Override
  public synchronized void testPlanExecutionFinished(TestPlan finished) {
    if (file != null) {
      double wall = ManagementFactory.getRuntimeMXBean().getUptime() / 1e3;
      String processor = ClassTiming.seconds(ProcessUsage.now().seconds());
      write("jvm", "-", "-", ClassTiming.seconds(wall), processor, "-");
    }
  }

  private boolean isOutermostClass(TestIdentifier test) {
    return isClass(test) && !isInClass(test);
  }

  private boolean isInClass(TestIdentifier test) {
    Optional<TestIdentifier> parent = plan == null ? Optional.empty() : plan.getParent(test);
    return parent.isPresent() && (isClass(parent.get()) || isInClass(parent.get()));
  }

  private static boolean isClass(TestIdentifier test) {
    return test.getSource().orElse(null) instanceof ClassSource;
  }

  private String ring(TestIdentifier test) {
    Set<TestTag> tags = new HashSet<>(test.getTags());
    if (plan != null) {
      plan.getDescendants(test).forEach(inner -> tags.addAll(inner.getTags()));
    }
    return RINGS.stream()
        .filter(ring -> tags.contains(TestTag.create(ring)))
        .findFirst()
        .orElse(WITHOUT_TAG);
  }

  /** Deletes the file of an earlier process with the same id. */
  private void begin(Path folder) {
    try {
      Path begun = folder.resolve("times-" + ProcessHandle.current().pid() + ".tsv");
      Files.createDirectories(folder);
      Files.deleteIfExists(begun);
      file = begun;
    } catch (IOException e) {
      giveUp(e);
    }
  }

  private void write(String... columns) {
    try {
      if (file != null) {
        String line = String.join("\t", columns) + "\n";
        Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      }
    } catch (IOException e) {
      giveUp(e);
    }
  }

  /** A failure to write times fails no test. */
  private void giveUp(IOException e) {
    System.err.println("no times of tests: " + e);
    file = null;
  }
}
