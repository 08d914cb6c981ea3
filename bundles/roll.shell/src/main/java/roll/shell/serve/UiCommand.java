package roll.shell.serve;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import roll.runtime.command.Interrupts;
import roll.runtime.page.PageOrder;
import roll.shell.page.OpenPage;
import roll.shell.page.OpenPages;
import roll.shell.page.PageOptions;
import roll.shell.page.SystemBrowser;
import roll.shell.run.Background;
import roll.shell.syntax.Arguments;
import roll.shell.syntax.RollCommand;
import roll.shell.syntax.Syntax;
import roll.shell.syntax.Syntax.Option;

/** {@code ui}: runs, trajectories and services in a browser. */
@Component(name = "roll.shell.ui", service = UiCommand.class)
@RollCommand(function = "ui", description = UiCommand.SUMMARY)
public final class UiCommand {
  static final String SUMMARY = "Shows runs, curves, episodes, services and devices in a browser.";
  private static final int INTERRUPTED = 130;
  private static final String OPEN = "--open";
  private static final String STOP = "--stop";

  /** How it is called. */
  public static final Syntax SYNTAX = new Syntax("ui", SUMMARY, List.of(), options());

  private static List<Option> options() {
    List<Option> all = new ArrayList<>(PageOptions.ALL);
    all.add(Option.flag(OPEN, "opens the address in this machine's browser"));
    all.add(Option.optional(STOP, "port", "closes the page at this port"));
    return List.copyOf(all);
  }

  private final OpenPages pages;
  private final Interrupts interrupts;

  /** A command on these services; without {@code interrupts} the shell's Ctrl-C is its own. */
  @Activate
  public UiCommand(
      @Reference OpenPages pages,
      @Reference(
              cardinality = ReferenceCardinality.OPTIONAL,
              policyOption = ReferencePolicyOption.GREEDY)
          @Nullable Interrupts interrupts) {
    this.pages = pages;
    this.interrupts = Objects.requireNonNullElse(interrupts, Interrupts.NONE);
  }

  /**
   * In the shell the page stays open until it is closed or the system ends, and the command without
   * options says where it is; as the one command of a process it is open until Ctrl-C.
   */
  @Descriptor(SUMMARY)
  public @Nullable String ui(
      CommandSession session, @Descriptor("[option …]") String... arguments) {
    return Background.<@Nullable String>telling(session, () -> run(session, arguments));
  }

  private @Nullable String run(CommandSession session, String... arguments) {
    Arguments given = SYNTAX.read(arguments);
    if (given.help()) {
      return SYNTAX.help();
    }
    if (given.flag(STOP)) {
      return pages.stop((int) given.integer(STOP, 1, 65_535));
    }
    String there = pages.list();
    if (given.options().isEmpty() && !there.isEmpty()) {
      return there;
    }
    PageOrder order = PageOptions.order(session, given);
    PrintStream out = session.getConsole();
    if (Background.shell(session)) {
      OpenPage page = pages.open("ui", order, PageOptions.elsewhere(given));
      open(given, page, out);
      return Background.answer(session, page.address());
    }
    try (Interrupts.Watch _ = interrupts.watch();
        OpenPage page = pages.open("ui", order, PageOptions.elsewhere(given))) {
      out.println(page.address() + "; Ctrl-C ends");
      open(given, page, out);
      page.await();
      out.println("the page was closed");
    } catch (InterruptedException e) {
      session.put("exit", INTERRUPTED);
    }
    return null;
  }

  private static void open(Arguments given, OpenPage page, PrintStream out) {
    if (given.flag(OPEN)) {
      String problem = SystemBrowser.open(page.plainAddress());
      if (problem != null) {
        out.println("notice: " + problem);
      }
    }
  }
}
