package roll.shell.serve;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.runtime.command.Interrupts;
import roll.runtime.page.PageSettings;
import roll.shell.command.Arguments;
import roll.shell.command.Background;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.page.OpenPage;
import roll.shell.page.OpenPages;
import roll.shell.page.PageOptions;
import roll.shell.page.SystemBrowser;
import roll.shell.run.NoticeList;

/** {@code ui}: opens the live page in a browser. */
@Component(name = "roll.shell.ui", service = Command.class)
@RollCommand(function = "ui")
public final class UiCommand extends Command {
  private static final String OPEN = "--open";
  private static final String STOP = "--stop";

  /** Arguments and options of the command {@code ui}. */
  static final Syntax SYNTAX =
      new Syntax(
          "ui",
          "Serves the live page: runs, curves, episodes, services and devices in a browser.",
          List.of(),
          options());

  private static List<Option> options() {
    List<Option> all = new ArrayList<>(PageOptions.ALL);
    all.add(Option.flag(OPEN, "open the address in the browser of this machine"));
    all.add(Option.optional(STOP, "port", "close the page on this port"));
    return List.copyOf(all);
  }

  private final OpenPages pages;
  private final Interrupts interrupts;

  /**
   * Creates the command with its services; without {@code interrupts} Ctrl-C is left to the shell.
   */
  @Activate
  public UiCommand(
      @Reference OpenPages pages,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable Interrupts interrupts) {
    super(SYNTAX);
    this.pages = pages;
    this.interrupts = Objects.requireNonNullElse(interrupts, Interrupts.NONE);
  }

  /**
   * In the shell the page stays open until it is closed or the process ends, and the command
   * without options prints its address; as single command of a process it is open until Ctrl-C.
   */
  @Override
  protected @Nullable String run(CommandSession session, Arguments given)
      throws InterruptedException {
    if (given.flag(STOP)) {
      return pages.stop((int) given.integer(STOP, 1, 65_535));
    }
    String there = pages.list();
    if (given.options().isEmpty() && !there.isEmpty()) {
      return there;
    }
    PageSettings order = PageOptions.order(session, given);
    PrintStream out = session.getConsole();
    if (Background.shell(session)) {
      OpenPage page = pages.open("ui", order, PageOptions.anyPort(given));
      open(given, page, out);
      return Background.answer(session, page.address());
    }
    try (Interrupts.Watch _ = interrupts.watch();
        OpenPage page = pages.open("ui", order, PageOptions.anyPort(given))) {
      out.println(page.address() + "; Ctrl-C ends");
      open(given, page, out);
      page.await();
      out.println("the page was closed");
    }
    return null;
  }

  private static void open(Arguments given, OpenPage page, PrintStream out) {
    if (given.flag(OPEN)) {
      String problem = SystemBrowser.open(page.plainAddress());
      if (problem != null) {
        out.println(NoticeList.line(problem));
      }
    }
  }
}
