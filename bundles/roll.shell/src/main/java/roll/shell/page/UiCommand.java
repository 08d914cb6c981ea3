package roll.shell.page;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import roll.runtime.command.Interrupts;
import roll.runtime.page.LivePage;
import roll.runtime.page.PageOrder;
import roll.runtime.page.ServedPage;
import roll.runtime.serving.ServedPlace;
import roll.shell.syntax.Arguments;
import roll.shell.syntax.RequiredService;
import roll.shell.syntax.RollCommand;
import roll.shell.syntax.Syntax;
import roll.shell.syntax.Syntax.Option;
import roll.shell.syntax.UserPath;

/** {@code ui}: the live page, until Ctrl-C. */
@Component(name = "roll.shell.ui", service = UiCommand.class)
@RollCommand(function = "ui", description = UiCommand.SUMMARY)
public final class UiCommand {
  static final String SUMMARY = "Shows runs, curves, episodes and services in a browser.";
  private static final int REQUESTS = 256;
  private static final int INTERRUPTED = 130;

  /** How it is called. */
  public static final Syntax SYNTAX =
      new Syntax(
          "ui",
          SUMMARY,
          List.of(),
          List.of(
              Option.one("--port", "number", "7070", "0 picks a free port"),
              Option.one("--runs", "folder", "output", "runs are looked for below it")));

  private final @Nullable LivePage page;
  private final Interrupts interrupts;

  /** A command on these services; without {@code interrupts} the shell's Ctrl-C is its own. */
  @Activate
  public UiCommand(
      @Reference(
              cardinality = ReferenceCardinality.OPTIONAL,
              policyOption = ReferencePolicyOption.GREEDY)
          @Nullable LivePage page,
      @Reference(
              cardinality = ReferenceCardinality.OPTIONAL,
              policyOption = ReferencePolicyOption.GREEDY)
          @Nullable Interrupts interrupts) {
    this.page = page;
    this.interrupts = Objects.requireNonNullElse(interrupts, Interrupts.NONE);
  }

  /** Serves the page until Ctrl-C. */
  @Descriptor(SUMMARY)
  public @Nullable String ui(
      CommandSession session, @Descriptor("[option …]") String... arguments) {
    Arguments given = SYNTAX.read(arguments);
    if (given.help()) {
      return SYNTAX.help();
    }
    LivePage server = RequiredService.of(page, "ui", "roll.ui");
    Path runs = UserPath.of(session, given.text("--runs"));
    ServedPlace place =
        new ServedPlace(
            InetAddress.getLoopbackAddress(),
            (int) given.integer("--port", 0, 65_535),
            null,
            REQUESTS);
    try (Interrupts.Watch _ = interrupts.watch();
        ServedPage served = server.start(new PageOrder(place, List.of(runs), false, false))) {
      session.getConsole().println("showing runs at " + served.address() + "; Ctrl-C ends");
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      session.put("exit", INTERRUPTED);
    }
    return null;
  }
}
